// Two characters opposite each other in the picture: their places, and their poses at a moment.

import { OUTCOME_COLORS } from '../data/strikes';
import type { DuelStrike, Model, Tick } from '../data/types';
import { affine } from '../scene/affine';
import type { DuelSettings } from '../state/encounter';
import type { Loaded } from '../state/library';
import type { LiveFeed } from '../state/live';

/** Places the opponent by `worldFromModel`: 12 numbers, column by column. */
export function place(opponent: Loaded, worldFromModel: number[]): void {
  opponent.actor.root.matrixAutoUpdate = false;
  opponent.actor.root.matrix.copy(affine(worldFromModel));
}

/** Poses both characters at a tick, so that the picture shows the tested poses, and lights the joints whose hitboxes and skins touch. */
export function poseBoth(first: Loaded, second: Loaded, settings: DuelSettings, tick: Tick | null): void {
  const time = tick?.time ?? 0;
  first.actor.pose(clipNumber(first, settings.clipA), time);
  second.actor.pose(clipNumber(second, settings.clipB), time);
  const [boxes, skins] = [tick?.pairs ?? [], tick?.skin ?? []];
  first.actor.light(jointsNamed(first.model, boxes.map(({ a }) => a)), jointsNamed(first.model, skins.map(({ a }) => a)));
  second.actor.light(jointsNamed(second.model, boxes.map(({ b }) => b)), jointsNamed(second.model, skins.map(({ b }) => b)));
}

/** Poses the player by the tracker and the opponent by its clip, and lights the hitboxes that touch. */
export function poseTracked(first: Loaded, opponent: Loaded, settings: DuelSettings, { moment, joints }: LiveFeed): void {
  if (!moment) return first.actor.pose(null, 0);
  first.actor.poseJoints(joints);
  opponent.actor.pose(clipNumber(opponent, settings.clipB), moment.time);
  first.actor.light(jointsNamed(first.model, moment.touches.map(({ a }) => a)));
  opponent.actor.light(jointsNamed(opponent.model, moment.touches.map(({ b }) => b)));
}

/** Poses both characters at the moment of a strike, and points out the two hitboxes that meet. */
export function poseStrike(first: Loaded, second: Loaded, settings: DuelSettings, strike: DuelStrike): void {
  const { time, attacker, hitbox, target_hitbox: target, outcome } = strike;
  first.actor.pose(clipNumber(first, settings.clipA), time);
  second.actor.pose(clipNumber(second, settings.clipB), time);
  const [own, other] = attacker === 'a' ? [first, second] : [second, first];
  for (const [{ actor }, box] of [[own, hitbox], [other, target]] as const) {
    actor.light(new Set());
    actor.activate(new Map([[box, OUTCOME_COLORS[outcome]]]));
  }
}

function clipNumber({ actor }: Loaded, name: string | null): number | null {
  const index = actor.clips.findIndex((clip) => clip.name === name);
  return index < 0 ? null : index;
}

function jointsNamed(model: Model, names: string[]): Set<number> {
  const wanted = new Set(names);
  return new Set(model.joints.flatMap((joint, index) => (wanted.has(joint.name) ? [index] : [])));
}
