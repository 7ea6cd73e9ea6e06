// Starts the page.

import './style.css';
import { App } from './app/app';
import { source } from './data/source';

declare global {
  interface Window {
    bonebox: App;
  }
}

const holder = document.getElementById('app')!;
try {
  window.bonebox = new App(holder, await source());
  void window.bonebox.start();
} catch (error) {
  holder.textContent = `This page needs WebGL, which this browser does not offer: ${String(error)}. Use another browser, or switch on hardware acceleration.`;
}
