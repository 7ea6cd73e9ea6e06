// The comparison of a character baked in several ways: the columns in the picture, and their bakes.

import { Refused, type Options } from '../data/source';
import type { Actor } from '../scene/actor';
import type { View } from '../scene/labels';
import { columns, describe, isPlainPreset, viewOf, type Column } from './columns';
import type { Library, Loaded } from './library';

/** The parts of the page that a comparison uses. */
export interface ComparisonHost {
  readonly index: number;
  readonly library: Library;
  readonly isComparing: boolean;
  readonly hasServer: boolean;
  /** The character, baked with its settings. */
  readonly first: Loaded | null;
  /** Counts running work. */
  ask(work: () => Promise<void>): Promise<void>;
  /** Puts all actors into the views. */
  arrange(): void;
  /** Puts all views into the picture. */
  frameAll(): void;
  refresh(): void;
  readonly visits: { learn(loaded: Loaded, options: Options): Promise<void> };
}

export class Comparison {
  readonly columns = columns();
  /** The column that the tables describe. */
  focus = 'recipe';
  /** True if the user's own options are unfolded. */
  ownOptionsOpen = false;
  private halfSeconds = 0;

  constructor(private readonly host: ComparisonHost) {}

  column(key: string): Column | undefined {
    return this.columns.find((column) => column.key === key);
  }

  /** The columns that the user can choose. The column "as set" is missing if a preset gives the same bake. */
  get choosable(): Column[] {
    const { first, hasServer } = this.host;
    return this.columns.filter(({ key }) => {
      if (key === 'set') return first !== null && !isPlainPreset(first.bake, this.columns);
      return hasServer || key !== 'yours';
    });
  }

  get shown(): Column[] {
    return this.choosable.filter(({ shown }) => shown);
  }

  /** The bake that the tables describe. */
  get current(): Loaded | null {
    return this.column(this.focus)?.loaded ?? null;
  }

  get actors(): Actor[] {
    return this.shown.flatMap(({ loaded, blank }) => loaded?.actor ?? blank ?? []);
  }

  /** Returns a view for each shown column. Until a column's bake arrives, its view shows the character without hitboxes. */
  views(first: Loaded): View[] {
    for (const column of this.shown) if (!column.loaded && !column.blank) column.blank = this.host.library.actor(first.model);
    return this.shown.map(viewOf);
  }

  /** Returns the views again if the seconds shown beside a running bake have changed; `now` is in milliseconds. */
  countedViews(now: number): View[] | null {
    const isWaiting = this.shown.some(({ since }) => since !== null);
    if (!isWaiting || Math.floor(now / 500) === this.halfSeconds) return null;
    this.halfSeconds = Math.floor(now / 500);
    return this.shown.map(viewOf);
  }

  /** Forgets all bakes, for another character. */
  clear(): void {
    for (const column of this.columns) {
      column.asked++;
      this.host.library.drop(column.loaded?.actor);
      this.host.library.drop(column.blank);
      Object.assign(column, { loaded: null, blank: null, since: null, error: null });
    }
  }

  /** Shows a column or hides it; the last column stays. */
  show(key: string): void {
    const column = this.column(key);
    if (!column || (column.shown && this.shown.length === 1)) return;
    column.shown = !column.shown;
    if (!column.shown && this.focus === key) this.focus = this.shown[0]!.key;
    if (column.shown) this.focusOn(key);
    this.host.arrange();
    this.host.frameAll();
    this.host.refresh();
    if (column.shown) void this.bakeColumn(column);
  }

  /** Selects the column that the tables describe. */
  focusOn(key: string): void {
    this.focus = key;
    const column = this.column(key);
    if (column?.loaded) void this.host.visits.learn(column.loaded, column.options);
    this.host.refresh();
  }

  /** Sets an option of the column "yours". */
  setOption(key: string, value: string): void {
    const column = this.column('yours')!;
    const options = { ...column.options };
    if (value === '') delete options[key];
    else options[key] = value;
    column.options = options;
    column.title = describe(options);
    if (column.shown) void this.bakeColumn(column);
    else this.show('yours');
    this.host.refresh();
  }

  /** Bakes the columns in the picture, then the other columns. */
  async bake(): Promise<void> {
    await Promise.all(this.choosable.filter(({ key, shown }) => shown || key !== 'yours').map((column) => this.bakeColumn(column)));
  }

  private async bakeColumn(column: Column): Promise<void> {
    const { host } = this;
    const asked = ++column.asked;
    column.since = performance.now();
    host.refresh();
    await host.ask(async () => {
      try {
        const loaded = await host.library.load(host.index, column.options, { present: column.loaded, other: host.first, blank: column.blank });
        if (asked !== column.asked) {
          if (loaded.actor !== column.loaded?.actor && loaded.actor !== column.blank) host.library.drop(loaded.actor);
          return;
        }
        for (const old of [column.loaded?.actor, column.blank]) if (old !== loaded.actor) host.library.drop(old);
        Object.assign(column, { loaded, blank: null, error: null });
      } catch (error) {
        if (asked !== column.asked) return;
        if (!(error instanceof Refused)) console.error(error);
        column.error = error instanceof Error ? error.message : String(error);
      }
      column.since = null;
      if (!host.isComparing) return;
      host.arrange();
      host.refresh();
    });
    if (column.key === this.focus && column.loaded) await host.visits.learn(column.loaded, column.options);
  }
}
