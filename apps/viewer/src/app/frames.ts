// Draws the frames of the browser, and advances what plays.

import type { Page } from '../state/page';
import type { FallTool } from './fallTool';
import type { Output } from './output';
import type { Picture } from './picture';
import type { Visits } from './visits';

/** Frames between two updates of the clock while something plays, and the bounds of the time between them in milliseconds. */
const TELL = { frames: 5, least: 80, most: 300 };

/** Draws each frame from the next one on. */
export function drawFrames(page: Page, { stage, screen }: Output, picture: Picture, visits: Visits, falls: FallTool): void {
  // The times at which the screen last got the time while something plays, and at which the last frame was drawn, in milliseconds.
  let [toldAt, lastFrame] = [0, 0];
  const draw = (now: number) => {
    const { feed } = page.encounter;
    const elapsed = page.playback.tick(now);
    const next = page.playback.advance(elapsed, page.seconds);
    falls.advance(elapsed);
    const isFalling = page.falling !== null && !page.falling.fall.isAtRest && elapsed > 0;
    const strike = next !== null && page.mode === 'duel' && page.encounter.freezes ? page.encounter.strikePassed(page.playback.time, next) : null;
    if (next !== null) {
      page.playback.time = strike?.time ?? next;
      visits.leave();
    }
    if (next !== null || isFalling || feed?.takeFresh()) {
      if (!isFalling) picture.pose();
      // The clock and the panel change a few times a second, and less often if frames are slow, because each change there makes
      // the browser draw more than the picture.
      if (strike) {
        page.playback.playing = false;
        screen.updateTime();
      } else if (now - toldAt >= Math.min(Math.max(TELL.frames * (now - lastFrame), TELL.least), TELL.most)) {
        toldAt = now;
        screen.updateTime();
      }
    }
    const counted = page.isComparing ? page.comparison.countedViews(now) : null;
    if (counted) stage.setViews(counted);
    stage.draw(now, page.playback.playing || isFalling || feed !== null, () => picture.labels());
    lastFrame = now;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
