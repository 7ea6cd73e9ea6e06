// Bakes the columns of a comparison, and shows them or hides them.

import { Refused, type Options } from '../data/source';
import type { Column } from '../state/columns';
import type { Page } from '../state/page';
import type { Output } from './output';
import type { Picture } from './picture';
import type { Visits } from './visits';

export class ColumnBakes {
  /** Called after the user has changed an option, with all options of the column "yours" before and after. */
  onOptions: (before: Options, after: Options) => void = () => {};

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly visits: Visits,
  ) {}

  /** Shows a column or hides it; the last column stays. */
  show(key: string): void {
    const { comparison } = this.page;
    const column = comparison.column(key);
    if (!column || (column.shown && comparison.shown.length === 1)) return;
    column.shown = !column.shown;
    if (!column.shown && comparison.focus === key) comparison.focus = comparison.shown[0]!.key;
    if (column.shown) this.focusOn(key);
    this.picture.arrange();
    this.output.stage.frame('iso');
    this.output.refresh();
    if (column.shown) void this.bakeColumn(column);
  }

  /** Selects the column that the tables describe. */
  focusOn(key: string): void {
    this.page.comparison.focus = key;
    const column = this.page.comparison.column(key);
    if (column?.loaded) void this.visits.learn(column.loaded, column.options);
    this.output.refresh();
  }

  /** Sets an option of the column "yours". */
  setOption(key: string, value: string): void {
    const column = this.page.comparison.column('yours')!;
    const options = { ...column.options };
    if (value === '') delete options[key];
    else options[key] = value;
    const before = column.options;
    this.take(options);
    if (!column.shown) this.show('yours');
    this.onOptions(before, options);
  }

  /** Takes all options of the column "yours". */
  take(options: Options): void {
    const column = this.page.comparison.column('yours')!;
    this.page.comparison.setOwn(options);
    if (column.shown && Object.keys(options).length > 0) void this.bakeColumn(column);
    this.output.refresh();
  }

  /** Bakes the columns that the user can choose. */
  async bake(): Promise<void> {
    await Promise.all(this.page.comparison.choosable.filter(({ key, shown }) => shown || key !== 'yours').map((column) => this.bakeColumn(column)));
  }

  private async bakeColumn(column: Column): Promise<void> {
    const { page, output } = this;
    const { library } = page;
    const asked = ++column.asked;
    column.since = performance.now();
    output.refresh();
    await output.ask(async () => {
      try {
        const loaded = await library.load(page.index, column.options, { present: column.loaded, other: page.first, blank: column.blank });
        if (asked !== column.asked) {
          if (loaded.actor !== column.loaded?.actor && loaded.actor !== column.blank) library.drop(loaded.actor);
          return;
        }
        for (const old of [column.loaded?.actor, column.blank]) if (old !== loaded.actor) library.drop(old);
        Object.assign(column, { loaded, blank: null, error: null });
      } catch (error) {
        if (asked !== column.asked) return;
        if (!(error instanceof Refused)) console.error(error);
        column.error = error instanceof Error ? error.message : String(error);
      }
      column.since = null;
      if (!page.isComparing) return;
      this.picture.arrange();
      output.refresh();
    });
    if (column.key === page.comparison.focus && column.loaded) await this.visits.learn(column.loaded, column.options);
  }
}
