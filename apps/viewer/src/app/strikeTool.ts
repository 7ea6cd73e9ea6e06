// The strikes of a duel: jumps to them, and freezes playback at them.

import type { DuelStrike } from '../data/types';
import type { Page } from '../state/page';
import type { Output } from './output';
import type { Picture } from './picture';

export class StrikeTool {
  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
  ) {}

  /** Switches whether playback freezes at each strike. */
  freeze(freezes: boolean): void {
    this.page.encounter.freezes = freezes;
    this.output.refresh();
  }

  /** Goes to the moment of a strike. */
  visit({ time }: DuelStrike): void {
    Object.assign(this.page.playback, { time, playing: false });
    this.picture.pose();
    this.output.refreshTime();
  }
}
