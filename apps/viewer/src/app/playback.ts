// What plays, and where in it the picture is.

export class Playback {
  /** A clip by number; `null` is the rest pose. */
  clip: number | null = null;
  /** Seconds after the clip began. */
  time = 0;
  playing = false;
  /** Times the clip's own speed. */
  speed = 1;
  private last = 0;

  /** The time that a frame shows, in seconds; `null` where nothing moves. `now` is in milliseconds. */
  advance(now: number, seconds: number): number | null {
    // A page that was hidden goes on where it was.
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (!this.playing || seconds <= 0) return null;
    const next = this.time + elapsed * this.speed;
    return next > seconds ? next % seconds : next;
  }
}
