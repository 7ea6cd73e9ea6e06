// Rotations in degrees, as `rotation` in bonebox.toml has them: about the joint's x axis, then its y axis, then its z axis.

import { Euler, MathUtils, Quaternion } from 'three';
import type { Quat, Vec3 } from '../data/baked';

export function degreesOf(orientation: Quat): Vec3 {
  const { x, y, z } = new Euler().setFromQuaternion(new Quaternion(...orientation), 'ZYX');
  return [x, y, z].map(MathUtils.radToDeg) as Vec3;
}

/** Returns a rotation with another angle about one of the axes. */
export function turnFromDegrees(orientation: Quat, axis: number, degrees: number): Quat {
  const angles = degreesOf(orientation).map((each, index) => MathUtils.degToRad(index === axis ? degrees : each)) as Vec3;
  return new Quaternion().setFromEuler(new Euler(...angles, 'ZYX')).toArray() as Quat;
}
