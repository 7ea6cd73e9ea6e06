// Builds the page.

import './style.css';
import { App } from './app/app';
import { source } from './data/source';
import { Aside } from './panel/aside';
import { h } from './panel/dom';
import { Header } from './panel/header';
import { Keys } from './panel/keys';
import { Message } from './panel/message';
import { followPointer } from './panel/pointer';
import { splitter } from './panel/splitter';
import { followTheme } from './panel/theme';
import { Timeline } from './panel/timeline';

declare global {
  interface Window {
    bonebox: App;
  }
}

function show(holder: HTMLElement, app: App, stage: HTMLElement): void {
  const [message, aside, timeline] = [new Message(), new Aside(app), new Timeline(app)];
  const header = new Header(app, new Keys(app));
  holder.append(header.root, h('main', {}, message.root, stage), splitter(holder), aside.root, timeline.root);
  followTheme(app.stage);
  followPointer(app);
  app.screen = {
    update: () => [header, aside, timeline].forEach((part) => part.update()),
    updateTime: () => [aside, timeline].forEach((part) => part.updateTime()),
    reveal: () => aside.reveal(),
    say: (kind, text) => message.say(kind, text),
  };
}

const holder = document.getElementById('app')!;
try {
  const stage = h('div', { class: 'stage' });
  window.bonebox = new App(stage, await source());
  show(holder, window.bonebox, stage);
  void window.bonebox.start();
} catch (error) {
  holder.textContent = `This page needs WebGL, which this browser does not offer: ${String(error)}. Use another browser, or switch on hardware acceleration.`;
}
