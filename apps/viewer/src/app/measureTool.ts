// Measures edited hitboxes while they change: first the joints that were edited, then all skin.

import { Refused } from '../data/source';
import type { Page } from '../state/page';
import type { Output } from './output';

/** After this time without a change, all skin is measured, in milliseconds. */
const PAUSE = 350;

export class MeasureTool {
  /** The joints to measure when the last answer has come. */
  private waiting = new Set<string>();
  /** True if all skin is to be measured when there has been no change for a while. */
  private wantsAll = false;
  private changedAt = 0;
  private isRunning = false;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
  ) {}

  /** Measures these joints soon, and all skin after a pause. One answer is awaited at a time; the latest change wins. */
  measure(joints: Iterable<string>): void {
    const { page } = this;
    if (!page.canBake || page.mode !== 'edit') return;
    for (const joint of joints) this.waiting.add(joint);
    this.changedAt = performance.now();
    this.wantsAll = page.isEdited;
    page.editor.whole = null;
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.size > 0 || this.wantsAll) {
      if (this.waiting.size > 0) {
        const joints = [...this.waiting].filter((joint) => this.page.jointNamed(joint) !== null);
        this.waiting.clear();
        if (joints.length > 0) await this.ask(joints);
        continue;
      }
      const rest = this.changedAt + PAUSE - performance.now();
      if (rest > 0) await new Promise((done) => setTimeout(done, rest));
      else if (this.page.mode !== 'edit' || !this.page.isEdited) this.wantsAll = false;
      else await this.ask(null);
    }
    this.isRunning = false;
  }

  private async ask(joints: string[] | null): Promise<void> {
    const { page, output, changedAt } = this;
    const { index, editor } = page;
    if (joints === null) this.wantsAll = false;
    try {
      const measured = await page.source.measure({ id: index, edits: page.knownEdits, joints }, {});
      if (index !== page.index) return;
      // The figures of all skin are out of date when something has changed since.
      if (joints === null && changedAt !== this.changedAt) return;
      for (const figures of measured.joints) editor.figures.set(figures.joint, figures);
      if (joints === null) editor.whole = measured;
      output.screen.update();
    } catch (error) {
      // A file that is wrong, or a server that has stopped, has its message already.
      if (!(error instanceof Refused)) throw error;
    }
  }
}
