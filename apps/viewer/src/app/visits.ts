// The moments at which the skin leaves the hitboxes: loads them, and jumps from one to the next.

import * as THREE from 'three';
import { Refused, type Options } from '../data/source';
import type { Escape } from '../data/types';
import type { App } from './app';
import type { Loaded } from './library';
import { DOT } from './picture';

export class Visits {
  /** The escape that the user visited last. */
  visited: Escape | null = null;

  constructor(private readonly app: App) {}

  /** Jumps to the moment at which a joint's surface is farthest outside. */
  visit(escape: Escape): void {
    const { app } = this;
    const { camera } = app.stage;
    const clip = escape.clip === null ? null : app.clips.indexOf(escape.clip);
    const start = clip === null ? 0 : (app.first?.actor.clips[clip]?.start ?? 0);
    Object.assign(app.playback, { clip, playing: false });
    app.playback.time = Math.min(Math.max(escape.time - start, 0), app.seconds);
    app.picture.pose();
    app.selection.joint = app.jointNamed(escape.joint);
    this.visited = escape;
    if (app.display.surface === 'textured' || app.display.surface === 'clay') app.display.surface = 'outside';
    app.picture.style();
    if (escape.point) {
      const point = new THREE.Vector3(...escape.point);
      const direction = app.first?.actor.clearDirection(point, camera.direction, DOT * app.height);
      camera.lookAt(point, direction ?? camera.direction, 0.28 * app.height);
    }
    app.refresh();
  }

  /** Jumps to the escape that is `step` entries after the last visited escape. */
  next(step: number): void {
    const escapes = this.app.hasOpponent ? [] : (this.app.current?.escapes ?? []);
    if (escapes.length === 0) return;
    const now = this.visited ? escapes.indexOf(this.visited) : -1;
    this.visit(escapes[now < 0 ? 0 : (now + step + escapes.length) % escapes.length]!);
  }

  leave(): void {
    if (!this.visited) return;
    this.visited = null;
    this.app.picture.style();
    this.app.screen.update();
  }

  /** Asks the server for the joints whose surface leaves the hitboxes. The hitboxes are already on the screen. */
  async learn(loaded: Loaded, options: Options): Promise<void> {
    const { app } = this;
    if (loaded.escapes) return;
    await app.ask(async () => {
      try {
        loaded.escapes = await app.source.escapes(app.index, options);
      } catch (error) {
        // The next request for the file reports the reason.
        if (!(error instanceof Refused)) app.fail(error);
        return;
      }
      if (loaded !== app.current) return;
      const stays = loaded.escapes.some(({ joint, distance }) => joint === this.visited?.joint && distance > 0);
      if (!stays) this.leave();
      app.refresh();
    });
  }
}
