import type { Character, Pose, PosedHitboxes } from './bonebox.js';

/** The part of three.js that this module uses; pass `import * as THREE from 'three'`. */
type Three = {
  BufferGeometry: new () => any;
  BufferAttribute: new (array: Float32Array, itemSize: number) => any;
  LineSegments: new (geometry: any, material: any) => any;
  LineBasicMaterial: new (parameters: { color: number | string }) => any;
  PropertyBinding: { sanitizeNodeName(name: string): string };
};

/** An `Object3D` of three.js. */
type Object3D = { traverse(callback: (object: any) => void): void };

/** Binds a character to the bones below an object, by the names of the joints. */
export class SkeletonPose {
  /** Throws `NOT_FOUND` with the missing joints if the object is not the model that was baked. */
  constructor(THREE: Three, character: Character, root: Object3D);
  /** World from joint of each joint, 16 numbers each, as three.js last computed them. Each call writes into the same array. */
  matrices(): Float32Array;
  /** Poses `pose` as the bones are now. Call `root.updateMatrixWorld()` first. */
  update(pose: Pose): Pose;
}

/** Lines of hitboxes, in world space. */
export interface HitboxLines {
  /** Draws `pose.hitboxes` or `world.hitboxes(body)`. */
  show(hitboxes: PosedHitboxes): void;
}

/** Makes a `LineSegments`. Add it to the scene itself, because its positions are in world space. */
export function hitboxLines(THREE: Three, options?: { color?: number | string }): any & HitboxLines;

/** Writes the ends of the twelve edges of each hitbox: 72 numbers for each. */
export function linePositions(hitboxes: PosedHitboxes, out?: Float32Array): Float32Array;
