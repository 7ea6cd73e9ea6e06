// The loaded characters: the character on the page, its opponent, and the character without hitboxes until its first bake arrives.

import type { Actor } from '../scene/actor';
import type { Library, Loaded } from './library';

export class Cast {
  /** The character on the page, baked with its settings. */
  first: Loaded | null = null;
  opponent: Loaded | null = null;
  /** The character on the page, before its first bake has arrived. */
  early: Actor | null = null;

  constructor(private readonly library: Library) {}

  clear(): void {
    for (const loaded of [this.first, this.opponent]) this.library.drop(loaded?.actor);
    this.library.drop(this.early);
    this.first = this.opponent = this.early = null;
  }

  /** Replaces the present characters, and drops those that are no longer used. */
  replace(first: Loaded, opponent: Loaded | null): void {
    if (this.opponent?.actor !== opponent?.actor) this.library.drop(this.opponent?.actor);
    if (this.first?.actor !== first.actor) this.library.drop(this.first?.actor);
    [this.first, this.opponent, this.early] = [first, opponent, null];
  }

  /** Drops characters that were loaded too late to be shown. */
  discard(first: Loaded, opponent: Loaded | null): void {
    if (first.actor !== this.first?.actor && first.actor !== this.early) this.library.drop(first.actor);
    if (opponent?.actor !== this.opponent?.actor) this.library.drop(opponent?.actor);
  }
}
