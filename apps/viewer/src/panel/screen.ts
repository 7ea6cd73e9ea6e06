// Everything around the picture.

import { h } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { Aside } from './aside';
import { Header } from './header';
import { Keys } from './keys';
import { Message, type Notice } from './message';
import { splitter } from './splitter';
import { Timeline } from './timeline';

export type Screen = ReturnType<typeof screen>;

/** Puts `picture` and the panels into `holder`. */
export function screen(holder: HTMLElement, picture: HTMLElement, page: Page, actions: Actions) {
  const [message, aside, timeline] = [new Message(), new Aside(page, actions), new Timeline(page, actions)];
  const header = new Header(page, actions, new Keys(page, actions));
  holder.append(header.root, h('main', {}, header.display, message.root, picture), splitter(holder), aside.root, timeline.root);
  return {
    /** Call this after any change. */
    update: () => [header, aside, timeline].forEach((part) => part.update()),
    /** Call this after a change of the time alone. */
    updateTime: () => [aside, timeline].forEach((part) => part.updateTime()),
    /** Scrolls to the selected row. */
    reveal: () => aside.reveal(),
    say: (kind: Notice, text: string) => message.say(kind, text),
  };
}
