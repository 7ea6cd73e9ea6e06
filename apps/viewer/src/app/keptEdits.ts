// Keeps windows that were dragged and not saved, so that a reload of the page does not lose them.

import type { Page } from '../state/page';
import type { WindowEdit } from '../state/windowEdits';

/** The key under which the browser stores the edits until the tab is closed. */
const KEY = 'bonebox unsaved windows';

/** An edit with the file of its character, because a new list of characters may have other numbers. */
type KeptEdit = WindowEdit & { file: string };

/** Stores all unsaved edits; call this after each change of them. */
export function keepEdits({ windowEdits, listing }: Page): void {
  const kept = windowEdits.all.map((edit): KeptEdit => ({ ...edit, file: listing.characters[edit.id]?.file ?? '' }));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A page without storage loses the edits when it is reloaded.
  }
}

/** Takes the edits that were kept before a reload; call this when the list of characters is there. */
export function takeKeptEdits({ windowEdits, listing }: Page): void {
  let kept: KeptEdit[] = [];
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as KeptEdit[];
  } catch {
    // The page has no storage, as above.
  }
  windowEdits.take(kept.filter(({ id, file }) => listing.characters[id]?.file === file));
}
