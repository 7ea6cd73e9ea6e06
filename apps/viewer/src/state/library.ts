// Loads characters from the server: models, bakes and materials.

import type { Options, Source } from '../data/source';
import type { Bake, Escape, Model } from '../data/types';
import { Actor } from '../scene/actor';
import { disposeCostume, readCostume, type Costume } from '../scene/costume';
import { forget } from '../scene/surface';

/** The loaded parts of a character. */
export interface Loaded {
  model: Model;
  bake: Bake;
  actor: Actor;
  /** The escapes of the joints; `null` until they are known. */
  escapes: Escape[] | null;
}

export class Library {
  private readonly costumes = new Map<Model, Costume | null>();
  private readonly actors = new Map<Actor, Model>();

  constructor(readonly source: Source) {}

  /** A character without hitboxes. */
  actor(model: Model): Actor {
    const actor = new Actor(model, null);
    this.actors.set(actor, model);
    const costume = this.costumes.get(model);
    if (costume) actor.dress(costume);
    return actor;
  }

  /**
   * Bakes a character. Loaded parts of the same file are kept, and only the hitboxes change. `present` is the bake that
   * the new bake replaces, `other` shows the same character, and `blank` is an actor of that character. Calls `early` with
   * a new actor before the bake arrives.
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

  /** Reads the character's own materials and gives them to all of its actors. A character without materials stays in clay. */
  async dress(id: number, model: Model): Promise<void> {
    if (!this.source.canBake || this.costumes.has(model) || model.meshes.length + model.attachments.length === 0) return;
    this.costumes.set(model, null);
    try {
      const costume = await readCostume(await this.source.file(id), model);
      if (![...this.actors.values()].includes(model)) return disposeCostume(costume);
      this.costumes.set(model, costume);
      for (const [actor, own] of this.actors) if (own === model) actor.dress(costume);
    } catch (error) {
      // The materials may have a compression that browsers cannot unpack. The panel says that the character is in clay.
      console.warn(`The materials cannot be shown: ${String(error)}`);
    }
  }

  /** Returns whether the character's own materials are loaded. */
  isDressed(model: Model): boolean {
    return Boolean(this.costumes.get(model));
  }

  /** Removes an actor from the scene, and its model if no other actor shows it. */
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
