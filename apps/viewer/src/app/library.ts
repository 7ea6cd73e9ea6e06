// Characters from the server: models, bakes, materials.

import type { Options, Source } from '../data/source';
import type { Bake, Escape, Model } from '../data/types';
import { Actor } from '../scene/actor';
import { disposeCostume, readCostume, type Costume } from '../scene/costume';
import { forget } from '../scene/surface';

/** What is loaded of a character. */
export interface Loaded {
  model: Model;
  bake: Bake;
  actor: Actor;
  /** `null` until they are known. */
  escapes: Escape[] | null;
}

export class Library {
  private readonly costumes = new Map<Model, Costume | null>();
  private readonly actors = new Map<Actor, Model>();

  constructor(private readonly source: Source) {}

  /** A character without hitboxes. */
  actor(model: Model): Actor {
    const actor = new Actor(model, null);
    this.actors.set(actor, model);
    const costume = this.costumes.get(model);
    if (costume) actor.dress(costume);
    return actor;
  }

  /**
   * Bakes a character. What is there already of the same file stays where it is, and only the hitboxes change:
   * `present` is the bake that this one replaces, `other` shows the same character, `blank` is an actor of that one.
   * `early` is called with a new actor before the bake is there.
   */
  async load(
    id: number,
    options: Options,
    there: { present?: Loaded | null; other?: Loaded | null; blank?: Actor | null; early?: (actor: Actor) => void },
  ): Promise<Loaded> {
    const { present = null, other = null, blank = null, early } = there;
    const asked = this.source.bake(id, options);
    if (!present && !other && early) {
      // The code below reports a refused bake.
      asked.catch(() => {});
      const model = await this.source.model(id);
      const actor = this.actor(model);
      early(actor);
      return this.finish(model, await asked, actor);
    }
    const bake = await asked;
    const { blake3 } = bake.bake.source;
    if (present && present.bake.bake.source.blake3 === blake3) {
      const same = JSON.stringify(present.bake) === JSON.stringify(bake);
      if (!same) present.actor.setBake(bake);
      return { ...present, bake, escapes: same ? present.escapes : null };
    }
    const model = other?.bake.bake.source.blake3 === blake3 ? other.model : await this.source.model(id);
    return this.finish(model, bake, blank?.model === model ? blank : this.actor(model));
  }

  /** Reads the character's own materials, and puts them on all of its actors; a file that has none stays in clay. */
  async dress(id: number, model: Model): Promise<void> {
    if (!this.source.hasServer || this.costumes.has(model) || model.meshes.length + model.attachments.length === 0) return;
    this.costumes.set(model, null);
    try {
      const costume = await readCostume(await this.source.file(id), model);
      if (![...this.actors.values()].includes(model)) return disposeCostume(costume);
      this.costumes.set(model, costume);
      for (const [actor, own] of this.actors) if (own === model) actor.dress(costume);
    } catch (error) {
      // Compressed in a way that only games unpack, say; the panel says that it is in clay.
      console.warn(`The materials cannot be shown: ${String(error)}`);
    }
  }

  /** Whether the character's own materials are there. */
  isDressed(model: Model): boolean {
    return Boolean(this.costumes.get(model));
  }

  /** Takes an actor off the scene; its model goes too where no other actor shows it. */
  drop(actor: Actor | null | undefined): void {
    if (!actor) return;
    actor.dispose();
    this.actors.delete(actor);
    const { model } = actor;
    if ([...this.actors.values()].includes(model)) return;
    forget(model);
    const costume = this.costumes.get(model);
    if (costume) disposeCostume(costume);
    this.costumes.delete(model);
  }

  private finish(model: Model, bake: Bake, actor: Actor): Loaded {
    actor.setBake(bake);
    return { model, bake, actor, escapes: null };
  }
}
