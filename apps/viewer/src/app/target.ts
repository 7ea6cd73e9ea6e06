// The target of a shot in the picture: its poses then and now, and the ray.

import { floats } from '../data/packed';
import type { Vec3 } from '../data/baked';
import type { ShownPose, ShownShot } from '../data/serverTypes';
import { affine } from '../scene/affine';
import type { MarkedRay } from '../scene/marks';
import type { Loaded } from '../state/library';
import type { Target } from '../state/shots';

/** The ray is drawn so far past the point that is nearest to the target, in world units. */
const PAST = 1;

/** Poses the target, and points out its hitbox that is nearest to the ray. */
export function poseTarget({ then, now }: Target, shot: ShownShot, color: string): void {
  pose(then, shot.then);
  pose(now, shot.now);
  then?.actor.light(new Set());
  then?.actor.activate(new Map(shot.nearest ? [[shot.nearest.box_index, color]] : []));
}

function pose(loaded: Loaded | null, at: ShownPose | null): void {
  if (!loaded || !at) return;
  const { root } = loaded.actor;
  root.matrixAutoUpdate = false;
  root.matrix.copy(affine(at.place));
  loaded.actor.poseJoints(floats(at.joints));
}

/** The ray as the picture shows it: up to its end, or a little past the target. */
export function markedRay({ ray, nearest }: ShownShot): MarkedRay | null {
  if (!ray) return null;
  const at = (time: number) => ray.origin.map((from, axis) => from + time * ray.direction[axis]!) as Vec3;
  const length = Math.hypot(...ray.direction);
  const near = nearest ? Math.hypot(...nearest.on_ray.map((x, axis) => x - ray.origin[axis]!)) : 0;
  const end = Math.min(ray.max_time ?? Infinity, (near + PAST) / length);
  return { origin: ray.origin, point: at(end), triangles: [], normal: null, normalLength: 0 };
}
