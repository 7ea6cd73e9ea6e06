// Drags windows of attacks and states, and saves them into bonebox.toml.

import { dragged, windowRows, type Grip, type WindowRow } from '../data/windows';
import type { Page } from '../state/page';
import type { WindowEdit } from '../state/windowEdits';
import type { HistoryTool } from './historyTool';
import { keepUnsaved } from './kept';
import type { Loader } from './loader';
import type { Output } from './output';
import type { Picture } from './picture';

export class WindowTool {
  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly loader: Loader,
    private readonly history: HistoryTool,
  ) {}

  /**
   * Moves a window, or one of its edges, by some seconds from where the row `from` has it, and shows the moment of that edge.
   * `snaps` moves it to frames of the clip.
   */
  drag(from: WindowRow, index: number, grip: Grip, by: number, snaps: boolean): void {
    const { page } = this;
    const clip = page.playback.clip === null ? undefined : page.first?.actor.clips[page.playback.clip];
    const before = windowRows(page.bake, page.clipName).find(({ key }) => key === from.key)?.active;
    const window = from.active[index];
    if (!clip || !before || !window) return;
    const { start, seconds, frame } = clip;
    const all = this.snapshot();
    const moved = dragged(window, grip, by, { start: Math.max(start, 0), end: start + seconds, frame: snaps ? frame : null });
    page.windowEdits.set(page.index, page.clipName, from, before, index, moved);
    this.history.record({ label: `drag ${from.name}`, gesture: `${from.key} ${page.clipName} ${JSON.stringify(from.active)}`, windows: [all, this.snapshot()] });
    page.playback.playing = false;
    page.playback.time = Math.min(Math.max(moved[grip === 'to' ? 1 : 0] - start, 0), seconds);
    this.picture.pose();
    this.output.refresh();
  }

  /** Writes the dragged windows of the clip into the settings, and bakes with them. */
  async save(): Promise<void> {
    const { page, output } = this;
    const edits = page.windowEdits.of(page.index, page.clipName);
    const [notes, saved] = [new Set<string>(), [] as typeof edits];
    let all = this.snapshot();
    for (const edit of edits) {
      const { id, clip, entry, before, after } = edit;
      await output.ask(
        async () => {
          const { section, ...write } = await page.source.saveWindows({ id, clip, entry, before, after });
          const { file } = write;
          const shared = section === null || section !== page.name;
          notes.add(`saved in ${file}${shared ? `, in the section of ${section === null ? 'all characters' : `"${section}"`}` : ''}`);
          saved.push(edit);
          const rest = all.filter((each) => each.id !== id || each.clip !== clip || each.key !== edit.key);
          this.history.record({ label: `save ${edit.name}`, windows: [all, rest], write });
          all = rest;
        },
        (error) => (edit.problem = error.message),
      );
    }
    if (saved.length > 0) await this.loader.reload();
    saved.forEach((edit) => page.windowEdits.drop(edit));
    page.windowEdits.note = [...notes].join('; ');
    keepUnsaved(page);
    this.picture.pose();
    output.refresh();
  }

  /** Forgets the dragged windows of the clip. */
  discard(): void {
    const { page } = this;
    const all = this.snapshot();
    for (const edit of page.windowEdits.of(page.index, page.clipName)) page.windowEdits.drop(edit);
    this.history.record({ label: 'discard windows', windows: [all, this.snapshot()] });
    this.picture.pose();
    this.output.refresh();
  }

  private snapshot(): WindowEdit[] {
    return structuredClone([...this.page.windowEdits.all]);
  }
}
