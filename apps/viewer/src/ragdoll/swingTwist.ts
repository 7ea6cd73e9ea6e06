// Swing and twist of constraints, and their limits. crates/baked-format/FORMAT.md has the formulas.

import { Quaternion } from 'three';
import type { Constraint, Vec3 } from '../data/baked';

/** The rotation `swing * twist`: first a turn about axis x, then a turn about an axis at right angles to x. All in radians. */
export interface SwingTwist {
  /** The angle about x, -π to π. */
  twist: number;
  /** The axis of the swing times its angle: its y and z. */
  y: number;
  z: number;
}

/** Splits a unit quaternion. After half a turn of the swing the twist is not determined, and is 0. */
export function swingTwist(turn: Quaternion): SwingTwist {
  const sign = turn.w < 0 ? -1 : 1;
  const [x, y, z, w] = turn.toArray().map((part) => sign * part) as [number, number, number, number];
  const back = Math.hypot(x, w);
  const [cosine, sine] = back > 0 ? [w / back, x / back] : [1, 0];
  const across = [cosine * y - sine * z, cosine * z + sine * y] as const;
  const length = Math.hypot(...across);
  const share = length > 0 ? (2 * Math.atan2(length, back)) / length : 0;
  return { twist: 2 * Math.atan2(x, w), y: across[0] * share, z: across[1] * share };
}

/** Returns the rotation that turns about a vector by its length in radians. */
export function turnAbout([x, y, z]: Vec3): Quaternion {
  const angle = Math.hypot(x, y, z);
  const share = angle > 0 ? Math.sin(angle / 2) / angle : 0;
  return new Quaternion(x * share, y * share, z * share, Math.cos(angle / 2));
}

/** Returns the rotation of the child's frame in the parent's, from the rotations of the bodies in the world. */
export function turnOf(parent: Quaternion, child: Quaternion, { parent_from_frame, body_from_frame }: Constraint): Quaternion {
  const frame = parent.clone().multiply(new Quaternion(...parent_from_frame));
  return frame.invert().multiply(child).multiply(new Quaternion(...body_from_frame));
}

/** Returns how far a turn is past the limits in radians: of the twist, and of the swing. A hinge has no limit of the swing. */
export function pastLimits(turn: Quaternion, { kind, limits }: Constraint): { twist: number; swing: number } {
  const { twist, y, z } = swingTwist(turn);
  const swing = kind === 'ball' ? Math.max(Math.abs(y) - limits[1], Math.abs(z) - limits[2], 0) : 0;
  return { twist: Math.max(Math.abs(twist) - limits[0], 0), swing };
}

/**
 * Returns the limits of rapier's angles about y and z that stand for those of the swing, at a turn of the child's frame.
 *
 * Rapier's angle about y is `2 atan(q.y / q.w)`. With half the swing's angle `s`, half the twist's `t` and the swing's axis
 * `(0, y, z)`, the quotients are `tan s * (y + z tan t)` and `tan s * (z - y tan t)`. The function `limits_at` of
 * integrations/rapier is the same.
 */
export function limitsAt(turn: Quaternion, [, limitY, limitZ]: Vec3): [[number, number], [number, number]] {
  const sign = turn.w < 0 ? -1 : 1;
  const [x, y, z, w] = turn.toArray().map((part) => sign * part) as [number, number, number, number];
  const back = Math.hypot(x, w);
  // Near half a turn of twist or swing the quotients have no meaning.
  if (w < 0.1 * back || back < 0.1) return [[-limitY, limitY], [-limitZ, limitZ]];
  const across = [(w * y - x * z) / back, (w * z + x * y) / back] as const;
  const swing = 2 * Math.atan2(Math.hypot(...across), back);
  const around = (limit: number, middle: number): [number, number] => {
    const angle = Math.min(Math.max(swing, limit), 3);
    const most = (limit * Math.tan(angle / 2)) / Math.max(angle, 1e-6);
    return [2 * Math.atan(middle - most), 2 * Math.atan(middle + most)];
  };
  const tanTwist = x / w;
  return [around(limitY, (across[1] / back) * tanTwist), around(limitZ, (-across[0] / back) * tanTwist)];
}
