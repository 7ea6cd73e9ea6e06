// The way from poses to bodies of the ragdoll and back. crates/ragdoll/src/rig.rs has the same rules.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { RagdollBody } from '../data/baked';

/** The place of a body in the world. */
export interface Place {
  position: Vector3;
  rotation: Quaternion;
}

/** The velocity of a body: that of its center of mass in meters, and its angular velocity in radians, per second. */
export interface Velocity {
  linear: Vector3;
  angular: Vector3;
}

const ONE = new Vector3(1, 1, 1);

export class Rig {
  /** `joint_from_body` without its translation, and `body_from_joint`, for each body. */
  private readonly jointFromBody: Matrix4[];
  private readonly bodyFromJoint: Matrix4[];
  /** The body of each joint; `null` for joints without a body. */
  private readonly bodyOf: (number | null)[];
  /** The joints above the first body, from the nearest one up. */
  private readonly above: number[] = [];

  /** `rest` has `model_from_joint` of each joint in the rest pose, and `parents` the joints above them. */
  constructor(
    readonly bodies: RagdollBody[],
    rest: Matrix4[],
    private readonly parents: (number | null)[],
  ) {
    const places = bodies.map(({ position, rotation }) => ({ position: new Vector3(...position), rotation: new Quaternion(...rotation) }));
    this.bodyFromJoint = bodies.map(({ joint_index }, body) => matrixOf(places[body]!).invert().multiply(rest[joint_index]!));
    this.jointFromBody = bodies.map(({ joint_index }, body) => {
      const joint = rest[joint_index]!.clone().setPosition(0, 0, 0);
      return joint.invert().multiply(new Matrix4().makeRotationFromQuaternion(places[body]!.rotation));
    });
    this.bodyOf = parents.map((_, joint) => {
      const body = bodies.findIndex(({ joint_index }) => joint_index === joint);
      return body < 0 ? null : body;
    });
    for (let joint = parents[bodies[0]!.joint_index]!; joint !== null; joint = parents[joint]!) this.above.push(joint);
  }

  /** Returns the places of all bodies in a pose: `world_from_joint` of each joint. */
  places(pose: Matrix4[]): Place[] {
    return this.bodies.map(({ joint_index }, body) => {
      const joint = pose[joint_index]!;
      return { position: new Vector3().setFromMatrixPosition(joint), rotation: rotationOf(joint.clone().multiply(this.jointFromBody[body]!)) };
    });
  }

  /** Returns the velocities of all bodies from their places at two moments that are `seconds` apart. */
  velocities(before: Place[], now: Place[], seconds: number): Velocity[] {
    return this.bodies.map(({ center_of_mass }, body) => {
      const [from, to] = [before[body]!, now[body]!];
      const center = ({ position, rotation }: Place) => new Vector3(...center_of_mass).applyQuaternion(rotation).add(position);
      const turn = to.rotation.clone().multiply(from.rotation.clone().invert());
      return { linear: center(to).sub(center(from)).divideScalar(seconds), angular: rotationVector(turn).divideScalar(seconds) };
    });
  }

  /**
   * Returns `world_from_joint` of all joints from the places of the bodies. A joint with a body is where the body is. Other joints
   * follow the joint above with their transform in `local`, and joints above the first body keep their place to it.
   */
  pose(places: Place[], local: Matrix4[]): Matrix4[] {
    const pose: Matrix4[] = [];
    const ofBody = (body: number) => matrixOf(places[body]!).multiply(this.bodyFromJoint[body]!);
    let below = this.bodies[0]!.joint_index;
    pose[below] = ofBody(0);
    for (const joint of this.above) {
      const back = local[below]!.determinant() === 0 ? new Matrix4() : local[below]!.clone().invert();
      pose[joint] = pose[below]!.clone().multiply(back);
      below = joint;
    }
    this.parents.forEach((parent, joint) => {
      const body = this.bodyOf[joint]!;
      if (body !== null) pose[joint] = ofBody(body);
      else if (!this.above.includes(joint)) pose[joint] = parent === null ? local[joint]!.clone() : pose[parent]!.clone().multiply(local[joint]!);
    });
    return pose;
  }
}

export function matrixOf({ position, rotation }: Place): Matrix4 {
  return new Matrix4().compose(position, rotation, ONE);
}

/** The rotation of a matrix, from its axes x and y. */
function rotationOf(matrix: Matrix4): Quaternion {
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  matrix.extractBasis(x, y, z);
  x.normalize();
  y.addScaledVector(x, -x.dot(y)).normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z.crossVectors(x, y))).normalize();
}

/** The axis of a rotation times its angle in radians, at most π. */
function rotationVector(rotation: Quaternion): Vector3 {
  const sign = rotation.w < 0 ? -1 : 1;
  const axis = new Vector3(rotation.x, rotation.y, rotation.z).multiplyScalar(sign);
  const length = axis.length();
  return length > 0 ? axis.multiplyScalar((2 * Math.atan2(length, sign * rotation.w)) / length) : axis;
}
