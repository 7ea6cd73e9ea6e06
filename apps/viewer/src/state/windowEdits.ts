// Windows of attacks and states that were dragged, and are not saved yet.

import type { WindowChange } from '../data/source';
import type { TimeWindow } from '../data/baked';
import type { Bake } from '../data/types';
import { windowRows, type WindowRow } from '../data/windows';

export interface WindowEdit extends WindowChange {
  /** The row, as in `WindowRow`. */
  key: string;
  name: string;
  /** The reason why the windows were not saved; `null` if there is none. */
  problem: string | null;
}

export class WindowEdits {
  private edits: WindowEdit[] = [];
  /** What the last save has written, for people. */
  note = '';

  /** All edits, of all characters. */
  get all(): readonly WindowEdit[] {
    return this.edits;
  }

  /** Takes edits that an earlier page has kept. */
  take(edits: WindowEdit[]): void {
    this.edits = edits;
  }

  /** Drops the edits of a character whose windows are not those of its bake any more. */
  dropStale(id: number, bake: Bake): void {
    const isStale = ({ clip, key, before }: WindowEdit) =>
      JSON.stringify(windowRows(bake, clip).find((row) => row.key === key)?.active) !== JSON.stringify(before);
    const stale = this.edits.filter((edit) => edit.id === id && isStale(edit));
    for (const edit of stale) this.drop(edit);
    if (stale.length > 0) this.note = `the windows of ${stale.map(({ name }) => name).join(', ')} have changed, so your unsaved edits of them are dropped`;
  }

  /** The edits of a clip of a character. */
  of(id: number, clip: string): WindowEdit[] {
    return this.edits.filter((edit) => edit.id === id && edit.clip === clip);
  }

  /** Returns the rows with the windows as they were dragged. */
  applied(id: number, clip: string, rows: WindowRow[]): WindowRow[] {
    const edits = this.of(id, clip);
    return rows.map((row) => ({ ...row, active: edits.find(({ key }) => key === row.key)?.after ?? row.active }));
  }

  /** Replaces a window of a row. `before` are the windows in the file. */
  set(id: number, clip: string, { key, name, entry }: WindowRow, before: TimeWindow[], index: number, window: TimeWindow): void {
    let edit = this.of(id, clip).find((edit) => edit.key === key);
    if (!edit) {
      edit = { id, clip, key, name, entry, before, after: before, problem: null };
      this.edits.push(edit);
    }
    edit.after = edit.after.map((old, number) => (number === index ? window : old));
    edit.problem = null;
    this.note = '';
    if (JSON.stringify(edit.after) === JSON.stringify(before)) this.drop(edit);
  }

  drop(edit: WindowEdit): void {
    this.edits = this.edits.filter((other) => other !== edit);
  }
}
