// Measures edited hitboxes while they change: first the joints that were edited, then all skin.

import { Refused } from '../data/source';
import type { Page } from '../state/page';
import type { Output } from './output';

/** After this time without a change, all skin is measured, in milliseconds. */
const PAUSE = 350;

export class MeasureTool {
  /** The joints to measure when the last answer has come. */
  private waiting = new Set<string>();
  private isAsking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Grows with each change of the edits. */
  private change = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
  ) {}

  /** Measures these joints soon, and all skin after a pause. While one answer is awaited, later changes wait, and the latest wins. */
  measure(joints: Iterable<string>): void {
    const { page } = this;
    if (!page.hasServer || page.mode !== 'edit') return;
    this.change++;
    for (const joint of joints) this.waiting.add(joint);
    clearTimeout(this.timer);
    page.editor.whole = null;
    if (page.isEdited) this.timer = setTimeout(() => void this.ask(null), PAUSE);
    if (!this.isAsking && this.waiting.size > 0) void this.askJoints();
  }

  private async askJoints(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.size > 0) {
      const names = new Set(this.page.bake?.bake.joints.map(({ name }) => name));
      const joints = [...this.waiting].filter((joint) => names.has(joint));
      this.waiting.clear();
      if (joints.length > 0) await this.ask(joints);
    }
    this.isAsking = false;
  }

  private async ask(joints: string[] | null): Promise<void> {
    const { page, output, change } = this;
    const { index, editor } = page;
    try {
      const measured = await page.source.measure({ id: index, edits: page.knownEdits, joints }, {});
      if (index !== page.index || (joints === null && change !== this.change)) return;
      for (const figures of measured.joints) editor.figures.set(figures.joint, figures);
      if (joints === null) editor.whole = measured;
      output.screen.update();
    } catch (error) {
      // A file that is wrong, or a server that has stopped, has its message already.
      if (!(error instanceof Refused)) throw error;
    }
  }
}
