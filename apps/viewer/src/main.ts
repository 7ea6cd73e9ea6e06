// Starts the page.
//
// Every folder imports only from the folders before it: `data` reads what the server sends, `ragdoll` computes how ragdolls turn and
// fall, `scene` draws the characters, `state` holds the state of the page, `panel` shows the state around the picture, and `app`
// changes it. A panel gives its commands through the interface in `panel/actions.ts`. `cargo xtask tidy` refuses files or folders that
// import each other in a circle.

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
