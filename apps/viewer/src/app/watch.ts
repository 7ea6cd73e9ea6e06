// Asks the server whether a file has changed.

import type { App } from './app';

/** The time between two requests, in milliseconds. */
const INTERVAL = 250;

/** Asks the server without end whether the character's file, the settings that apply to it, or the folder has changed. */
export async function watch(app: App): Promise<void> {
  let last = { index: -1, version: '' };
  let lost = false;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    const isEmpty = app.listing.characters.length === 0;
    const { index } = app;
    try {
      const { version, characters } = await app.source.version(isEmpty ? null : index);
      if (lost) await app.reload();
      lost = false;
      if (characters !== app.listing.characters.length) {
        app.listing = await app.source.listing();
        if (isEmpty) await app.open(0);
        app.refresh();
      }
      // The user may have chosen another character in the meantime.
      if (isEmpty || index !== app.index) continue;
      const changed = last.index === index && last.version !== version;
      last = { index, version };
      if (changed) await app.reload();
    } catch (error) {
      lost = true;
      app.screen.say('lost', error instanceof Error ? error.message : String(error));
    }
  }
}
