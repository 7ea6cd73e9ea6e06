// Records what is done on the page, takes it back, and does it again.

import { withJoints } from '../state/edits';
import { recorded, redone, toRedo, toUndo, undone, type Entry } from '../state/history';
import type { Page } from '../state/page';
import type { ColumnBakes } from './columnBakes';
import { keepUnsaved } from './kept';
import type { Loader } from './loader';
import type { Output } from './output';
import type { Picture } from './picture';

/** The side of an entry: 0 is the state before it, 1 that after it. */
type Side = 0 | 1;

export class HistoryTool {
  /** Called after an undo or a redo has changed edited hitboxes. */
  onEdits: (joints: string[]) => void = () => {};
  /** The undo or the redo that runs, and those that wait for it. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly loader: Loader,
    private readonly columns: ColumnBakes,
  ) {}

  /** Adds an entry that is done already. */
  record(entry: Omit<Entry, 'character'>): void {
    const { page } = this;
    const { editor } = page;
    editor.history = recorded(editor.history, { ...entry, character: page.characterKey });
    keepUnsaved(page);
  }

  undo(): Promise<void> {
    return this.afterLast(async () => {
      const entry = toUndo(this.page.editor.history);
      if (entry && (await this.goTo(entry, 0))) this.done('undone');
    });
  }

  redo(): Promise<void> {
    return this.afterLast(async () => {
      const entry = toRedo(this.page.editor.history);
      if (entry && (await this.goTo(entry, 1))) this.done('redone');
    });
  }

  /** A second press of the key waits for the first one, which may write a file and bake. */
  private afterLast(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step, step);
    return this.last;
  }

  private done(what: 'undone' | 'redone'): void {
    const { page } = this;
    const { editor } = page;
    editor.history = what === 'undone' ? undone(editor.history) : redone(editor.history);
    keepUnsaved(page);
    this.output.refresh();
  }

  /** Brings the page and the settings file to one side of an entry. Returns false if the file could not be written. */
  private async goTo(entry: Entry, side: Side): Promise<boolean> {
    const { page, output } = this;
    const { editor } = page;
    editor.problem = editor.note = '';
    if (entry.character !== page.characterKey) await this.open(entry);
    const isDone = entry.write ? await this.write(entry.write, side) : true;
    if (isDone) this.take(entry, side);
    output.refresh();
    return isDone;
  }

  private async open({ character }: Entry): Promise<void> {
    const index = this.page.listing.characters.findIndex((_, index) => this.page.keyOf(index) === character);
    if (index >= 0) await this.loader.open(index);
  }

  private async write({ before, after }: NonNullable<Entry['write']>, side: Side): Promise<boolean> {
    const { page, output, loader } = this;
    const [expected, text] = side === 0 ? [after, before] : [before, after];
    let isWritten = false;
    const work = async () => {
      await page.source.restore({ id: page.index, expected, text });
      isWritten = true;
      await loader.reload();
    };
    await output.ask(work, ({ message }) => (page.editor.problem = message));
    return isWritten;
  }

  private take({ joints, windows, options, character }: Entry, side: Side): void {
    const { page } = this;
    const { editor } = page;
    if (joints) {
      const changes = Object.fromEntries(Object.entries(joints).map(([joint, both]) => [joint, both[side]]));
      editor.drafts[character] = withJoints(editor.drafts[character] ?? {}, changes);
      this.onEdits(Object.keys(joints));
    }
    if (windows) {
      page.windowEdits.take(structuredClone(windows[side]));
      this.picture.pose();
    }
    if (options) this.columns.take(options[side]);
  }
}
