// The comparison of a character baked in several ways: the columns, and those in the picture.

import type { Options } from '../data/source';
import type { Actor } from '../scene/actor';
import type { View } from '../scene/labels';
import type { Cast } from './cast';
import { columns, describe, isPlainPreset, viewOf, type Column } from './columns';
import type { Library, Loaded } from './library';

export class Comparison {
  readonly columns = columns();
  /** The column that the tables describe. */
  focus = 'recipe';
  private halfSeconds = 0;

  constructor(
    private readonly library: Library,
    private readonly cast: Cast,
  ) {}

  column(key: string): Column | undefined {
    return this.columns.find((column) => column.key === key);
  }

  /** The columns that the user can choose. The column "as set" is missing if a preset gives the same bake. */
  get choosable(): Column[] {
    const { first } = this.cast;
    return this.columns.filter(({ key }) => {
      if (key === 'set') return first !== null && !isPlainPreset(first.bake, this.columns);
      return this.library.source.canBake || key !== 'yours';
    });
  }

  get shown(): Column[] {
    return this.choosable.filter(({ shown }) => shown);
  }

  /** Sets the user's own options. */
  setOwn(options: Options): void {
    Object.assign(this.column('yours')!, { options, title: describe(options) });
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
    for (const column of this.shown) if (!column.loaded && !column.blank) column.blank = this.library.actor(first.model);
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
      this.library.drop(column.loaded?.actor);
      this.library.drop(column.blank);
      Object.assign(column, { loaded: null, blank: null, since: null, error: null });
    }
  }
}
