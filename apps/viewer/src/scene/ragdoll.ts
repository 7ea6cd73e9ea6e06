// The ragdoll of a character in the scene.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { RagdollBody } from '../data/baked';
import type { Bake, Model } from '../data/types';
import { Rig } from '../ragdoll/rig';
import { affine } from './affine';
import { Ranges } from './ranges';

export class Ragdoll {
  readonly rig: Rig;
  readonly ranges: Ranges;

  /** `size` is the largest extent of the hitboxes at rest in meters. */
  private constructor(bodies: RagdollBody[], size: number, model: Model) {
    this.rig = new Rig(bodies, restMatrices(model), model.joints.map(({ parent }) => parent));
    this.ranges = new Ranges(bodies, size);
  }

  /** Returns the ragdoll of a bake; `null` if it has none. */
  static of({ bake, bounds }: Bake, model: Model): Ragdoll | null {
    const { bodies } = bake;
    return bodies && bodies.length > 0 ? new Ragdoll(bodies, Math.max(...bounds.max.map((end, axis) => end - bounds.min[axis]!)), model) : null;
  }

  /** Moves the ranges to a pose: `world_from_joint` of each joint. */
  follow(pose: Matrix4[]): void {
    if (this.ranges.root.visible) this.ranges.follow(this.rig.places(pose));
  }
}

/** Returns the body that has a hitbox of the joint; `null` if there is none. */
export function bodyOfJoint({ bake }: Bake, joint: number): number | null {
  const body = bake.bodies?.findIndex(({ boxes }) => boxes.some((box) => bake.boxes[box]?.joint_index === joint)) ?? -1;
  return body < 0 ? null : body;
}

/** Returns `model_from_joint` of each joint in the rest pose. Joints come after the joints above them. */
function restMatrices({ joints, rest }: Model): Matrix4[] {
  const matrices: Matrix4[] = [];
  joints.forEach(({ parent }, joint) => {
    const own = rest[joint]!;
    const local = 'm' in own ? affine(own.m) : new Matrix4().compose(new Vector3(...own.t), new Quaternion(...own.r), new Vector3(...own.s));
    matrices.push(parent === null ? local : matrices[parent]!.clone().multiply(local));
  });
  return matrices;
}
