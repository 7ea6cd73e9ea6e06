// The geometry of edits: hitboxes are moved between joints, mirrored, merged, cut and given other shapes. Nothing here changes its
// arguments.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Hitbox, Quat, Vec3 } from '../data/baked';
import type { EditedHitbox } from '../data/types';

/** An edited hitbox at a joint. `modelFromJoint` is that of the rest pose. */
export interface Placed {
  box: EditedHitbox;
  modelFromJoint: Matrix4;
}

/** Returns a hitbox of a bake in the form in which it can be edited: a hull becomes the box around it. */
export function editable({ shape, role, tags, center, half_extents, orientation }: Hitbox): EditedHitbox {
  return { shape: shape === undefined || shape === 'hull' ? 'box' : shape, role: role ?? 'hurt', tags, center, half_extents, orientation };
}

/** The length of one unit along each axis of a joint, in meters. */
export function metersOf(modelFromJoint: Matrix4): Vec3 {
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  modelFromJoint.extractBasis(x, y, z);
  return [x.length(), y.length(), z.length()];
}

/** The length of one unit along each axis of the hitbox, in meters. */
export function metersAlong({ orientation }: EditedHitbox, modelFromJoint: Matrix4): Vec3 {
  return metersOf(modelFromJoint.clone().multiply(new Matrix4().makeRotationFromQuaternion(new Quaternion(...orientation))));
}

/** Returns half extents that the shape can have, nearest to these: the radii of a round shape are equal. */
export function rounded(shape: EditedHitbox['shape'], [x, y, z]: Vec3): Vec3 {
  if (shape === 'box') return [x, y, z];
  if (shape === 'sphere') return [(x + y + z) / 3, (x + y + z) / 3, (x + y + z) / 3];
  const radius = (x + z) / 2;
  return [radius, Math.max(y, radius), radius];
}

/**
 * Returns the half extents after a scale along each axis. A round shape follows the axes that are scaled: the radius of a sphere any
 * axis, that of a capsule x or z.
 */
export function scaled({ shape, half_extents: half }: EditedHitbox, scale: Vec3): Vec3 {
  const [x, y, z] = scale.map((each) => Math.max(Math.abs(each), 1e-3)) as Vec3;
  const farthest = (...factors: number[]) => factors.reduce((a, b) => (Math.abs(Math.log(b)) > Math.abs(Math.log(a)) ? b : a));
  if (shape === 'box') return [half[0] * x, half[1] * y, half[2] * z];
  if (shape === 'sphere') {
    const radius = half[0] * farthest(x, y, z);
    return [radius, radius, radius];
  }
  const radius = half[0] * farthest(x, z);
  return [radius, Math.max(half[1] * y, radius), radius];
}

/** Returns the hitbox in another shape, about as large. A capsule lies along the longest axis of the box. */
export function reshaped(box: EditedHitbox, shape: EditedHitbox['shape']): EditedHitbox {
  if (shape === box.shape) return box;
  const [x, y, z] = box.half_extents;
  if (shape === 'box') return { ...box, shape };
  if (shape === 'sphere') return { ...box, shape, half_extents: rounded('sphere', box.half_extents) };
  // The turn takes y to the longest axis.
  const longest = x >= y && x >= z ? 'x' : z > y ? 'z' : 'y';
  const turn = new Quaternion();
  if (longest === 'x') turn.setFromAxisAngle(new Vector3(0, 0, 1), -Math.PI / 2);
  if (longest === 'z') turn.setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);
  const half: Vec3 = longest === 'x' ? [y, x, z] : longest === 'z' ? [x, z, y] : [x, y, z];
  return { ...box, shape, half_extents: rounded('capsule', half), orientation: quat(new Quaternion(...box.orientation).multiply(turn)) };
}

/**
 * Returns the two halves of a hitbox along its longest axis. Halves of a capsule are capsules while they are longer than wide; those
 * of a sphere are boxes.
 */
export function split(box: EditedHitbox): [EditedHitbox, EditedHitbox] {
  const axis = box.half_extents.indexOf(Math.max(...box.half_extents));
  const along = new Vector3().setComponent(axis, 1).applyQuaternion(new Quaternion(...box.orientation));
  const half = box.half_extents.map((each, index) => (index === axis ? each / 2 : each)) as Vec3;
  const shape = box.shape === 'capsule' && axis === 1 && half[1] >= half[0] ? 'capsule' : 'box';
  const at = (side: number): EditedHitbox => ({
    ...box,
    shape,
    center: new Vector3(...box.center).addScaledVector(along, side * half[axis]!).toArray(),
    half_extents: half,
  });
  return [at(-1), at(1)];
}

/** Returns the reflection of a hitbox across the plane x = 0 of model space, at a joint. */
export function mirrored({ box, modelFromJoint }: Placed, target: Matrix4): EditedHitbox {
  const reflect = new Matrix4().makeScale(-1, 1, 1);
  const center = new Vector3(...box.center).applyMatrix4(modelFromJoint).applyMatrix4(reflect).applyMatrix4(target.clone().invert());
  // The hitbox is its own reflection across its own y-z plane, so this product is a rotation again.
  const turn = new Matrix4().makeRotationFromQuaternion(turnOf(modelFromJoint).multiply(new Quaternion(...box.orientation)));
  const reflected = new Quaternion().setFromRotationMatrix(reflect.clone().multiply(turn).multiply(reflect));
  const orientation = quat(turnOf(target).invert().multiply(reflected));
  return resized({ ...box, center: center.toArray(), orientation }, metersAlong(box, modelFromJoint), target);
}

/** Returns the hitbox at another joint, in the same place of the rest pose. */
export function moved({ box, modelFromJoint }: Placed, target: Matrix4): EditedHitbox {
  const center = new Vector3(...box.center).applyMatrix4(modelFromJoint).applyMatrix4(target.clone().invert());
  const orientation = quat(turnOf(target).invert().multiply(turnOf(modelFromJoint)).multiply(new Quaternion(...box.orientation)));
  return resized({ ...box, center: center.toArray(), orientation }, metersAlong(box, modelFromJoint), target);
}

/**
 * Returns the smallest box around hitboxes of any joints, at a joint: among boxes along the axes of one of the hitboxes, or of the joint.
 */
export function merged(all: Placed[], target: Matrix4): EditedHitbox {
  const there = all.map((each) => moved(each, target));
  const frames = [...there.map(({ orientation }) => new Quaternion(...orientation)), new Quaternion()];
  const boxes = frames.map((frame) => around(there, frame));
  const best = boxes.reduce((a, b) => (volume(b) < volume(a) * (1 - 1e-6) ? b : a));
  const tags = [...new Set(all.flatMap(({ box }) => box.tags))].sort();
  return { ...best, shape: 'box', role: all[0]!.box.role, tags };
}

function volume({ half_extents: [x, y, z] }: { half_extents: Vec3 }): number {
  return 8 * x * y * z;
}

/** Returns the smallest box around hitboxes of one joint, along the axes of a rotation. */
function around(boxes: EditedHitbox[], frame: Quaternion): { center: Vec3; half_extents: Vec3; orientation: Quat } {
  const [center, half] = [new Vector3(), new Vector3()];
  const axes = [0, 1, 2].map((axis) => new Vector3().setComponent(axis, 1).applyQuaternion(frame));
  axes.forEach((direction, axis) => {
    const ends = boxes.map((box) => {
      const [at, far] = [new Vector3(...box.center).dot(direction), reach(box, direction)];
      return [at - far, at + far] as const;
    });
    const [low, high] = [Math.min(...ends.map(([end]) => end)), Math.max(...ends.map(([, end]) => end))];
    center.addScaledVector(direction, (low + high) / 2);
    half.setComponent(axis, (high - low) / 2);
  });
  return { center: center.toArray(), half_extents: half.toArray(), orientation: quat(frame) };
}

/** Returns how far a hitbox reaches from its center in a direction of length 1. */
function reach({ shape, half_extents: [x, y, z], orientation }: EditedHitbox, direction: Vector3): number {
  const own = direction.clone().applyQuaternion(new Quaternion(...orientation).invert());
  if (shape === 'sphere') return x;
  if (shape === 'capsule') return x + (y - x) * Math.abs(own.y);
  return x * Math.abs(own.x) + y * Math.abs(own.y) + z * Math.abs(own.z);
}

/** Returns a hitbox whose half extents had `meters` meters for each unit, with the same size at a joint. */
function resized(box: EditedHitbox, meters: Vec3, target: Matrix4): EditedHitbox {
  const now = metersAlong(box, target);
  const half = box.half_extents.map((each, axis) => (now[axis]! > 0 ? (each * meters[axis]!) / now[axis]! : each)) as Vec3;
  return { ...box, half_extents: rounded(box.shape, half) };
}

function turnOf(matrix: Matrix4): Quaternion {
  const [position, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  matrix.decompose(position, turn, scale);
  return turn;
}

/** Of the two quaternions of a rotation, that with a positive w. */
function quat(turn: Quaternion): Quat {
  const { x, y, z, w } = turn.normalize();
  const sign = w < 0 ? -1 : 1;
  return [sign * x, sign * y, sign * z, sign * w];
}
