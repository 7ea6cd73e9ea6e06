// Plays the clip, goes to moments of it, and chooses another clip.

import type { Page } from '../state/page';
import type { Output } from './output';
import type { Picture } from './picture';
import type { Visits } from './visits';

export class ClipTool {
  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly visits: Visits,
  ) {}

  /** Goes to a moment; joints, hitboxes and contacts follow. */
  seek(time: number): void {
    this.page.playback.time = Math.min(Math.max(time, 0), this.page.seconds);
    this.visits.leave();
    this.picture.pose();
    this.output.refreshTime();
  }

  /** Plays or pauses; without an argument, the other one of both. */
  play(playing = !this.page.playback.playing): void {
    this.page.playback.playing = playing && this.page.seconds > 0;
    this.output.refreshTime();
  }

  /** Sets the speed of clips, as a multiple of their own speed. */
  setSpeed(speed: number): void {
    this.page.playback.speed = speed;
  }

  /** Shows a clip from its start; `null` is the rest pose. */
  choose(clip: number | null): void {
    const { playback } = this.page;
    Object.assign(playback, { clip, time: 0, playing: playback.playing && clip !== null });
    this.visits.leave();
    this.picture.pose();
    this.output.refresh();
  }
}
