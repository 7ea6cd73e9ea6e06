// Two characters against each other: how they stand, and how they are posed at a tick.

import { affine } from '../scene/affine';
import type { Duel, Model, Tick } from '../data/types';
import type { Loaded } from './library';
import type { LiveFeed } from './live';

export interface DuelSettings {
  /** The second character, by number. */
  other: number;
  /** By name; empty is the rest pose, `null` not chosen yet. */
  clipA: string | null;
  clipB: string | null;
  /** In meters. */
  distance: number;
  /** In degrees. */
  turn: number;
  /** Ticks a second. */
  fps: number;
}

export const DEFAULT_DUEL: DuelSettings = { other: 0, clipA: null, clipB: null, distance: 1, turn: 0, fps: 30 };

/** The tick at a time in seconds; `null` where there are none. */
export function tickAt(duel: Duel, fps: number, time: number): Tick | null {
  const index = Math.floor(time * fps + 1e-3);
  return duel.ticks[Math.min(index, duel.ticks.length - 1)] ?? null;
}

/** Puts the opponent where `worldFromModel` says: 12 numbers, columns. */
export function place(opponent: Loaded, worldFromModel: number[]): void {
  opponent.actor.root.matrixAutoUpdate = false;
  opponent.actor.root.matrix.copy(affine(worldFromModel));
}

/** Poses both at a tick, so that what is seen is what was tested, and lights the hitboxes that touch. */
export function poseBoth(first: Loaded, second: Loaded, settings: DuelSettings, tick: Tick | null): void {
  const time = tick?.time ?? 0;
  first.actor.pose(clipNumber(first, settings.clipA), time);
  second.actor.pose(clipNumber(second, settings.clipB), time);
  first.actor.light(jointsNamed(first.model, tick?.pairs.map(({ a }) => a) ?? []));
  second.actor.light(jointsNamed(second.model, tick?.pairs.map(({ b }) => b) ?? []));
}

/** Poses the first as the tracker says and the opponent in its clip, and lights the hitboxes that touch. */
export function poseTracked(first: Loaded, opponent: Loaded, settings: DuelSettings, { moment, joints }: LiveFeed): void {
  if (!moment) return first.actor.pose(null, 0);
  first.actor.poseJoints(joints);
  opponent.actor.pose(clipNumber(opponent, settings.clipB), moment.time);
  first.actor.light(jointsNamed(first.model, moment.touches.map(({ a }) => a)));
  opponent.actor.light(jointsNamed(opponent.model, moment.touches.map(({ b }) => b)));
}

function clipNumber({ actor }: Loaded, name: string | null): number | null {
  const index = actor.clips.findIndex((clip) => clip.name === name);
  return index < 0 ? null : index;
}

function jointsNamed(model: Model, names: string[]): Set<number> {
  const wanted = new Set(names);
  return new Set(model.joints.flatMap((joint, index) => (wanted.has(joint.name) ? [index] : [])));
}
