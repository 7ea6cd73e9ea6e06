// Lists the explained shots, and loads the shot that the user chooses.

import type { Page } from '../state/page';
import type { Target } from '../state/shots';
import type { Output } from './output';
import type { Picture } from './picture';

export class ShotTool {
  /** The number of choices; the page drops all answers except that to the last choice. */
  private choice = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
  ) {}

  /** Loads the list, and the shot of a line of the file, or else the first shot. */
  async enter(line: number | null): Promise<void> {
    const { page, output } = this;
    await output.ask(async () => {
      page.shots.list = await page.source.shots();
      const { shots } = page.shots.list;
      const chosen = shots.find((shot) => shot.line === line) ?? shots[0];
      if (chosen) await this.load(chosen.line);
      output.refresh();
    });
  }

  /** Shows the shot of a line of the file. */
  async choose(line: number): Promise<void> {
    await this.output.ask(() => this.load(line));
  }

  private async load(line: number): Promise<void> {
    const choice = ++this.choice;
    const { page, output } = this;
    const { library, shots } = page;
    const shown = await page.source.shot(line);
    const id = shots.list?.shots.find((shot) => shot.line === line)?.id ?? null;
    const target: Target = { then: null, now: null };
    if (id !== null && (shown.then || shown.now)) {
      // All actors of a character share its model.
      const other = id === page.index ? page.first : null;
      const first = await library.load(id, {}, { other });
      const second = { ...first, actor: library.actor(first.model) };
      second.actor.setBake(first.bake);
      if (shown.then) target.then = first;
      else library.drop(first.actor);
      if (shown.now) target.now = second;
      else library.drop(second.actor);
      void output.ask(() => library.dress(id, first.model)).then(() => output.stage.invalidate());
    }
    const unused = choice === this.choice ? shots.target : target;
    if (choice === this.choice) {
      Object.assign(shots, { shown, target });
      this.picture.arrange();
      output.stage.frame('iso');
      output.refresh();
    }
    for (const loaded of [unused.then, unused.now]) library.drop(loaded?.actor);
  }
}
