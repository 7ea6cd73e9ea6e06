// What was done on the page, to undo it and to do it again.

import type { Written } from '../data/serverTypes';
import type { JointEdit } from '../data/types';
import type { Options } from '../data/source';
import type { WindowEdit } from './windowEdits';

/** A value before and after. */
export type Both<T> = [before: T, after: T];

/** One thing that was done. */
export interface Entry {
  /** What was done, after the word Undo or Redo. */
  label: string;
  /** The character, by the key of `characterKey`. */
  character: string;
  /** Entries with the same gesture are one: the moves of one drag. */
  gesture?: string;
  /** The edits of joints; `null` for none. */
  joints?: Record<string, Both<JointEdit | null>>;
  /** Dragged windows of attacks and states. */
  windows?: Both<WindowEdit[]>;
  /** The user's own options in the comparison. */
  options?: Both<Options>;
  /** The settings file. */
  write?: Written;
}

export interface History {
  entries: readonly Entry[];
  /** The number of entries that are done; those after them were undone. */
  done: number;
}

export const EMPTY: History = { entries: [], done: 0 };

/** The number of entries that are kept. */
const MOST = 200;

/** Adds an entry; what was undone is forgotten. */
export function recorded({ entries, done }: History, entry: Entry): History {
  const kept = entries.slice(0, done);
  const last = kept.at(-1);
  if (last && entry.gesture !== undefined && last.gesture === entry.gesture && last.character === entry.character) {
    kept[kept.length - 1] = joined(last, entry);
  } else {
    kept.push(entry);
  }
  const all = kept.slice(-MOST);
  return { entries: all, done: all.length };
}

/** Returns one entry for two that follow each other. */
function joined(first: Entry, second: Entry): Entry {
  const both = <T>(a: Both<T> | undefined, b: Both<T> | undefined): Both<T> | undefined => (a && b ? [a[0], b[1]] : (a ?? b));
  const entry: Entry = { ...first, label: second.label };
  if (first.joints ?? second.joints) {
    entry.joints = { ...first.joints };
    for (const [joint, change] of Object.entries(second.joints ?? {})) entry.joints[joint] = both(entry.joints[joint], change)!;
  }
  const [windows, options] = [both(first.windows, second.windows), both(first.options, second.options)];
  if (windows) entry.windows = windows;
  if (options) entry.options = options;
  if (second.write) entry.write = first.write ? { ...second.write, before: first.write.before } : second.write;
  return entry;
}

/** Returns the entry that an undo takes back; `null` if there is none. */
export function toUndo({ entries, done }: History): Entry | null {
  return entries[done - 1] ?? null;
}

/** Returns the entry that a redo does again; `null` if there is none. */
export function toRedo({ entries, done }: History): Entry | null {
  return entries[done] ?? null;
}

export function undone(history: History): History {
  return { ...history, done: Math.max(history.done - 1, 0) };
}

export function redone(history: History): History {
  return { ...history, done: Math.min(history.done + 1, history.entries.length) };
}
