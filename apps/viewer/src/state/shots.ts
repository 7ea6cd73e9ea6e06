// The explained shots of a server, and the shot in the picture.

import type { ListedShots, ShownShot } from '../data/serverTypes';
import type { Loaded } from './library';

/** The target of a shot in the picture. */
export interface Target {
  /** The target at the moment that was used; `null` if it was not there. */
  then: Loaded | null;
  /** The target at the newest tick; `null` if it is not there any more. */
  now: Loaded | null;
}

export class Shots {
  list: ListedShots | null = null;
  shown: ShownShot | null = null;
  target: Target = { then: null, now: null };

  /** The line of the shot in the picture. */
  get line(): number | null {
    return this.shown?.line ?? null;
  }
}
