// Asks the server whether a file has changed.

import type { Page } from '../state/page';
import type { Loader } from './loader';
import type { Output } from './output';

/** The time between two requests, in milliseconds. */
const INTERVAL = 250;

/** Asks the server without end whether the character's file, the settings that apply to it, or the folder has changed. */
export async function watch(page: Page, output: Output, loader: Loader): Promise<void> {
  let last = { index: -1, version: '' };
  let lost = false;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    const isEmpty = page.listing.characters.length === 0;
    const { index } = page;
    try {
      const { version, characters } = await page.source.version(isEmpty ? null : index);
      if (lost) await loader.reload();
      lost = false;
      if (characters !== page.listing.characters.length) {
        page.listing = await page.source.listing();
        if (isEmpty) await loader.open(0);
        output.refresh();
      }
      // The user may have chosen another character in the meantime.
      if (isEmpty || index !== page.index) continue;
      const changed = last.index === index && last.version !== version;
      last = { index, version };
      if (changed) await loader.reload();
    } catch (error) {
      lost = true;
      output.screen.say('lost', error instanceof Error ? error.message : String(error));
    }
  }
}
