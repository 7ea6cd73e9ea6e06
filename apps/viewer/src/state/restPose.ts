// The joints of a character in its rest pose, and the lengths of their axes in meters.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Model } from '../data/types';
import { affine } from '../scene/affine';

const known = new WeakMap<Model, Matrix4[]>();

/** Returns the transform from each joint's space to model space in the rest pose. Do not change the matrices. */
export function restMatrices(model: Model): Matrix4[] {
  const made = known.get(model);
  if (made) return made;
  const all: Matrix4[] = [];
  const of = (joint: number): Matrix4 => {
    if (all[joint]) return all[joint];
    const rest = model.rest[joint]!;
    const local = 'm' in rest ? affine(rest.m) : new Matrix4().compose(new Vector3(...rest.t), new Quaternion(...rest.r), new Vector3(...rest.s));
    const { parent } = model.joints[joint]!;
    return (all[joint] = parent === null ? local : of(parent).clone().multiply(local));
  };
  model.joints.forEach((_, joint) => of(joint));
  known.set(model, all);
  return all;
}
