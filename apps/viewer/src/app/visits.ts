// The moments at which the skin leaves the hitboxes: loads them, and jumps from one to the next.

import * as THREE from 'three';
import type { Options } from '../data/source';
import { boxesOf } from '../state/edits';
import type { Loaded } from '../state/library';
import type { Page, VisitedEscape } from '../state/page';
import type { Output } from './output';
import { DOT, type Picture } from './picture';

export class Visits {
  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
  ) {}

  /** Jumps to the moment at which a joint's surface is farthest outside. */
  visit(escape: VisitedEscape): void {
    const { page } = this;
    const { camera } = this.output.stage;
    const clip = escape.clip === null ? null : page.clips.indexOf(escape.clip);
    const start = clip === null ? 0 : (page.first?.actor.clips[clip]?.start ?? 0);
    Object.assign(page.playback, { clip, playing: false });
    page.playback.time = Math.min(Math.max(escape.time - start, 0), page.seconds);
    this.picture.pose();
    page.selection.joint = page.jointNamed(escape.joint);
    page.visited = escape;
    if (page.edited) page.editor.selected = boxesOf(page.edited, escape.joint).length > 0 ? [{ joint: escape.joint, index: 0 }] : [];
    if (page.display.surface === 'textured' || page.display.surface === 'clay') page.display.surface = 'outside';
    this.picture.style();
    if (escape.point) {
      const point = new THREE.Vector3(...escape.point);
      const direction = page.first?.actor.clearDirection(point, camera.direction, DOT * page.height);
      camera.lookAt(point, direction ?? camera.direction, 0.28 * page.height);
    }
    this.output.refresh();
  }

  /** Jumps to the escape that is `step` entries after the last visited escape. */
  next(step: number): void {
    const { hasOpponent, current, visited } = this.page;
    const escapes = hasOpponent ? [] : (current?.escapes ?? []);
    if (escapes.length === 0) return;
    const now = escapes.findIndex((escape) => escape === visited);
    this.visit(escapes[now < 0 ? 0 : (now + step + escapes.length) % escapes.length]!);
  }

  leave(): void {
    if (!this.page.visited) return;
    this.page.visited = null;
    this.picture.style();
    this.output.screen.update();
  }

  /** Asks the server for the joints whose surface leaves the hitboxes. The hitboxes are already on the screen. */
  async learn(loaded: Loaded, options: Options): Promise<void> {
    const { page, output } = this;
    if (loaded.escapes) return;
    const work = async () => {
      loaded.escapes = await page.source.escapes(page.index, options);
      if (loaded !== page.current) return;
      const stays = loaded.escapes.some(({ joint, distance }) => joint === page.visited?.joint && distance > 0);
      if (!stays) this.leave();
      output.refresh();
    };
    // If the server refuses the file, the next request for it reports the reason.
    await output.ask(work, () => {});
  }
}
