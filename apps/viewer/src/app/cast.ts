// Who is loaded: the character that is looked at, its opponent, and the character without hitboxes until its first bake is there.

import type { Actor } from '../scene/actor';
import type { Library, Loaded } from './library';

export class Cast {
  /** The character that is looked at, baked as the settings say. */
  first: Loaded | null = null;
  opponent: Loaded | null = null;
  /** The character that is looked at, before its first bake is there. */
  early: Actor | null = null;

  constructor(private readonly library: Library) {}

  clear(): void {
    for (const loaded of [this.first, this.opponent]) this.library.drop(loaded?.actor);
    this.library.drop(this.early);
    this.first = this.opponent = this.early = null;
  }

  /** Takes these in place of the present ones, which are dropped where they are others. */
  replace(first: Loaded, opponent: Loaded | null): void {
    if (this.opponent?.actor !== opponent?.actor) this.library.drop(this.opponent?.actor);
    if (this.first?.actor !== first.actor) this.library.drop(this.first?.actor);
    [this.first, this.opponent, this.early] = [first, opponent, null];
  }

  /** Drops what was loaded too late to be shown. */
  discard(first: Loaded, opponent: Loaded | null): void {
    if (first.actor !== this.first?.actor && first.actor !== this.early) this.library.drop(first.actor);
    if (opponent?.actor !== this.opponent?.actor) this.library.drop(opponent?.actor);
  }
}
