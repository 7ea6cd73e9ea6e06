// The clip that plays, and the time of the picture in it.

export class Playback {
  /** The number of the clip; `null` is the rest pose. */
  clip: number | null = null;
  /** The time since the clip began, in seconds. */
  time = 0;
  playing = false;
  /** The speed, as a multiple of the clip's own speed. */
  speed = 1;
  private last = 0;

  /** Returns the time that passes until this frame at the present speed, in seconds. `now` is in milliseconds. */
  tick(now: number): number {
    // A page that was hidden continues at the time at which it was hidden.
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    return elapsed * this.speed;
  }

  /** Returns the time in the clip after some more seconds; `null` if nothing moves. `seconds` is the length of the clip. */
  advance(elapsed: number, seconds: number): number | null {
    if (!this.playing || seconds <= 0) return null;
    const next = this.time + elapsed;
    return next > seconds ? next % seconds : next;
  }
}
