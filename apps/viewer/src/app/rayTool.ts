// The ray tool: a click casts a ray from the camera, and the run time says which triangle of the skin it hits.

import type { Options, RayQuery } from '../data/source';
import type { Vec3 } from '../data/baked';
import type { RayAnswer } from '../data/types';
import { length } from '../data/units';
import type { Actor } from '../scene/actor';
import type { Label } from '../scene/labels';
import type { Page } from '../state/page';
import type { Output } from './output';

/** The length of the drawn normal, as a share of the character's height. */
const NORMAL = 0.06;

/** The hit that the picture shows. */
interface Shown {
  actor: Actor;
  answer: RayAnswer;
}

export class RayTool {
  shown: Shown | null = null;
  /** The number of rays; the page drops all answers except that to the last ray. */
  private cast = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
  ) {}

  /**
   * Returns whether clicks cast rays now. The server does not know the pose of a tracked player when the answer comes, nor that
   * of a character that falls or is posed by the joints of another.
   */
  get isReady(): boolean {
    return this.page.rays && !this.page.falling && this.page.mode !== 'live' && this.page.mode !== 'shared';
  }

  /** Removes the ray from the picture. */
  clear(): void {
    this.cast++;
    if (this.shown) this.show(null);
  }

  /** Casts the ray under the pointer at all characters there, and shows the nearest hit. */
  async click(event: MouseEvent): Promise<void> {
    const { page, output } = this;
    this.clear();
    const { cast } = this;
    const pointed = output.stage.rayAt(event);
    if (!pointed) return;
    const { origin, direction } = pointed.ray;
    const ray = { origin: origin.toArray() as Vec3, direction: direction.toArray() as Vec3 };
    const work = async () => {
      const asked = pointed.actors.flatMap((actor) => {
        const target = this.target(actor);
        return target ? [{ actor, ...target }] : [];
      });
      const answers = await Promise.all(asked.map(async ({ actor, query, options }) => ({ actor, answer: await page.source.ray({ ...query, ...ray }, options) })));
      if (cast !== this.cast) return;
      const hits = answers.flatMap(({ actor, answer }) => (answer ? [{ actor, answer }] : []));
      this.show(hits.sort((a, b) => a.answer.distance - b.answer.distance)[0] ?? null, ray.origin);
    };
    // A character that cannot be baked has its message already.
    await output.ask(work, () => {});
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

  private show(hit: Shown | null, origin: Vec3 = [0, 0, 0]): void {
    const { marks } = this.output.stage;
    this.shown = hit;
    if (hit) marks.actor = hit.actor;
    marks.setRay(hit && { origin, ...hit.answer, normalLength: NORMAL * this.page.height });
    this.output.stage.invalidate();
  }

  /** The pose in which the picture shows an actor, for the server; `null` if the actor has no hitboxes yet. */
  private target(actor: Actor): { query: Omit<RayQuery, 'origin' | 'direction'>; options: Options } | null {
    const { mode, index, cast, encounter, tick, isComparing, comparison, clipName } = this.page;
    if (mode === 'duel') {
      const { other, clipA, clipB, distance, turn } = encounter.settings;
      const time = tick?.time ?? 0;
      if (actor === cast.first?.actor) return { query: { id: index, clip: clipA ?? '', time, opposite: null }, options: {} };
      if (actor !== cast.opponent?.actor) return null;
      return { query: { id: other, clip: clipB ?? '', time, opposite: { distance, turn } }, options: {} };
    }
    const column = isComparing ? comparison.shown.find(({ loaded }) => loaded?.actor === actor) : { options: {} };
    return column ? { query: { id: index, clip: clipName, time: this.page.time, opposite: null }, options: column.options } : null;
  }
}
