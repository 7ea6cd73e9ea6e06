// The ray tool: a click casts a ray from the camera, and the run time says which triangle of the skin it hits.

import { Refused, type Options } from '../data/source';
import type { RayAnswer, RayQuery, Vec3 } from '../data/types';
import { length } from '../data/units';
import type { Actor } from '../scene/actor';
import type { Label } from '../scene/labels';
import type { App } from './app';

/** The length of the drawn normal, as a share of the character's height. */
const NORMAL = 0.06;

/** The hit that the picture shows. */
interface Shown {
  actor: Actor;
  answer: RayAnswer;
}

export class RayTool {
  /** True if clicks cast rays in place of selecting hitboxes. */
  isOn = false;
  shown: Shown | null = null;
  /** The number of rays; the page drops all answers except that to the last ray. */
  private cast = 0;

  constructor(private readonly app: App) {}

  /** Returns whether clicks cast rays now. A tracked player's pose is not known to the server when the answer comes. */
  get isReady(): boolean {
    return this.isOn && this.app.hasServer && this.app.mode !== 'live';
  }

  toggle(on = !this.isOn): void {
    this.isOn = on && this.app.hasServer;
    this.clear();
    this.app.refresh();
  }

  /** Removes the ray from the picture. */
  clear(): void {
    this.cast++;
    if (!this.shown) return;
    this.shown = null;
    this.app.stage.marks.setRay(null);
    this.app.stage.invalidate();
  }

  /** Casts the ray under the pointer at all characters there, and shows the nearest hit. Stops the playback. */
  async click(event: MouseEvent): Promise<void> {
    const { app } = this;
    app.play(false);
    this.clear();
    const { cast } = this;
    const pointed = app.stage.rayAt(event);
    if (!pointed) return;
    const { origin, direction } = pointed.ray;
    const ray = { origin: origin.toArray() as Vec3, direction: direction.toArray() as Vec3 };
    await app.ask(async () => {
      try {
        const asked = pointed.actors.flatMap((actor) => {
          const target = this.target(actor);
          return target ? [{ actor, ...target }] : [];
        });
        const answers = await Promise.all(asked.map(async ({ actor, query, options }) => ({ actor, answer: await app.source.ray({ ...query, ...ray }, options) })));
        if (cast !== this.cast) return;
        const hits = answers.flatMap(({ actor, answer }) => (answer ? [{ actor, answer }] : []));
        this.show(hits.sort((a, b) => a.answer.distance - b.answer.distance)[0] ?? null, ray.origin);
      } catch (error) {
        // A character that cannot be baked has its message already.
        if (!(error instanceof Refused)) app.fail(error);
      }
    });
  }

  labels(): Label[] {
    if (!this.shown) return [];
    const { actor, answer } = this.shown;
    const box = answer.hitbox === null ? 'outside its hitboxes' : `hitbox ${answer.hitbox}`;
    const place = answer.texture_coordinate?.map((share) => share.toFixed(3)).join(', ');
    const uv = place === undefined ? '' : ` · uv ${place}`;
    const without = answer.is_skin ? '' : ' · no skin in the file';
    return [{ actor, joint: 0, text: `${answer.joint} · ${box} · ${length(answer.distance)}${uv}${without}`, at: answer.point }];
  }

  private show(hit: Shown | null, origin: Vec3): void {
    const { marks } = this.app.stage;
    this.shown = hit;
    if (hit) marks.actor = hit.actor;
    marks.setRay(hit && { origin, ...hit.answer, normalLength: NORMAL * this.app.height });
    this.app.stage.invalidate();
  }

  /** The pose in which the picture shows an actor, for the server; `null` if the actor has no hitboxes yet. */
  private target(actor: Actor): { query: Omit<RayQuery, 'origin' | 'direction'>; options: Options } | null {
    const { app } = this;
    const { first, opponent } = app.cast;
    const { settings } = app.encounter;
    if (app.mode === 'duel') {
      const time = app.tick?.time ?? 0;
      if (actor === first?.actor) return { query: { id: app.index, clip: settings.clipA ?? '', time, opposite: null }, options: {} };
      if (actor !== opponent?.actor) return null;
      const { other, clipB, distance, turn } = settings;
      return { query: { id: other, clip: clipB ?? '', time, opposite: { distance, turn } }, options: {} };
    }
    const column = app.isComparing ? app.comparison.shown.find(({ loaded }) => loaded?.actor === actor) : { options: {} };
    const clip = app.clip === null ? '' : (app.clips[app.clip] ?? '');
    return column ? { query: { id: app.index, clip, time: app.time, opposite: null }, options: column.options } : null;
  }
}
