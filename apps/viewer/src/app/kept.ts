// Keeps what is not saved, and the history, so that a reload of the page does not lose them.

import type { JointEdits } from '../data/types';
import type { History } from '../state/history';
import type { Page } from '../state/page';
import type { WindowEdit } from '../state/windowEdits';

/** The key under which the browser stores everything until the tab is closed. */
const KEY = 'bonebox unsaved';

/** An edit with the file of its character, because a new list of characters may have other numbers. */
type KeptWindow = WindowEdit & { file: string };

interface Kept {
  windows: KeptWindow[];
  drafts: Record<string, JointEdits>;
  history: History;
}

/** Changes are stored together after this time, in milliseconds, because a drag makes many. */
const PAUSE = 200;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores all that is not saved soon, and at the latest when the page is left; call this after each change of it. */
export function keepUnsaved(page: Page): void {
  clearTimeout(timer);
  timer = setTimeout(() => store(page), PAUSE);
}

function store({ windowEdits, listing, editor }: Page): void {
  const windows = windowEdits.all.map((edit): KeptWindow => ({ ...edit, file: listing.characters[edit.id]?.file ?? '' }));
  const { drafts } = editor;
  // A history that is too large for the browser loses its earliest entries.
  for (let first = 0; first <= editor.history.done; first = Math.max(1, 2 * first)) {
    const { entries, done } = editor.history;
    const kept: Kept = { windows, drafts, history: { entries: entries.slice(first), done: done - first } };
    try {
      return sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Too large, or a page without storage, which loses the edits when it is reloaded.
    }
  }
}

/** Takes what was kept before a reload; call this when the list of characters is there. */
export function takeKept(page: Page): void {
  const { windowEdits, listing, editor } = page;
  window.addEventListener('pagehide', () => store(page));
  let kept: Partial<Kept> = {};
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
  } catch {
    // The page has no storage, as above.
  }
  windowEdits.take((kept.windows ?? []).filter(({ id, file }) => listing.characters[id]?.file === file));
  const isThere = (character: string) => listing.characters.some((_, index) => page.keyOf(index) === character);
  editor.drafts = Object.fromEntries(Object.entries(kept.drafts ?? {}).filter(([character]) => isThere(character)));
  const { entries = [], done = 0 } = kept.history ?? {};
  const isKept = entries.every(({ character }) => isThere(character));
  editor.history = isKept ? { entries, done } : { entries: [], done: 0 };
}
