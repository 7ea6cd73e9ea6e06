/** Three numbers: x, y, z. */
export type Vec3 = ArrayLike<number>;

/**
 * A transform: 16 numbers, four columns of four, for column vectors; the translation has the indices 12, 13 and 14. This is the order of
 * glTF, WebGL and `Matrix4.elements` of three.js. The last row must be 0, 0, 0, 1. Without a matrix, the identity applies.
 */
export type Matrix = ArrayLike<number>;

/** Where the WebAssembly file comes from: an address, its bytes, a response, or a compiled module. */
export type WasmSource = string | URL | BufferSource | Response | WebAssembly.Module;

/**
 * Loads the WebAssembly file, which lies beside this module unless `source` says otherwise. Everything else in this module needs it first.
 * Later calls return the same promise.
 */
export function init(source?: WasmSource): Promise<void>;

/** A failure. The message says what is wrong and what to do. Arguments of a wrong type or length throw `TypeError` instead. */
export class BoneboxError extends Error {
  readonly code:
    | 'NULL_POINTER' | 'INVALID_ARGUMENT' | 'INVALID_HANDLE' | 'BAD_FILE' | 'NOT_FOUND' | 'NO_BODY' | 'BODY_EXISTS' | 'WRONG_CHARACTER'
    | 'POSE_REFUSED' | 'INTERNAL_ERROR' | 'BAKE_FAILED' | 'CANCELED' | 'NO_SKIN';
}

/** An object in the memory of WebAssembly. JavaScript does not free it: call `free`, or declare it with `using`. */
interface Owned {
  /** Frees the object. Later calls do nothing; any other use throws. */
  free(): void;
  [Symbol.dispose](): void;
}

export interface Joint {
  name: string;
  /** The parent's index, which is below the joint's own; `null` for a root. */
  parent: number | null;
}

export interface Clip {
  name: string;
  /** The first and the number of seconds, on the clip's own clock. */
  start: number;
  seconds: number;
}

/** A baked hitbox in the space of its joint. */
export interface Hitbox {
  joint: number;
  jointName: string;
  tags: string[];
  center: [number, number, number];
  /** Half extents along the box's own axes. */
  halfExtents: [number, number, number];
  /** Joint from box: x, y, z, w. */
  orientation: [number, number, number, number];
}

/** A baked character. */
export class Character implements Owned {
  /** Reads the bytes of a `.bonebox` file. Throws `BAD_FILE` if they are damaged or of a newer version. */
  constructor(bytes: BufferSource);
  readonly name: string;
  readonly jointCount: number;
  readonly hitboxCount: number;
  /** True if exact questions about the skin can be asked. */
  readonly hasSkin: boolean;
  /** These lists are made anew by each use. */
  readonly joints: Joint[];
  readonly clips: Clip[];
  readonly hitboxes: Hitbox[];
  /** The index of a joint or of a clip. Throws `NOT_FOUND` with the names that exist. */
  findJoint(name: string): number;
  findClip(name: string): number;
  /** The time of a clip, `elapsed` seconds after it began. */
  clipTime(clip: number, elapsed: number, loops?: boolean): number;
  /** The hitboxes with a tag. Throws `NOT_FOUND` if there are none. */
  boxesWithTag(tag: string): BoxSet;
  free(): void;
  [Symbol.dispose](): void;
}

/** Some hitboxes of one character. */
export class BoxSet implements Owned {
  private constructor();
  free(): void;
  [Symbol.dispose](): void;
}

/** Posed hitboxes in world space; entry `i` of each array belongs to the same hitbox. */
export interface PosedHitboxes {
  /** The hitbox, an index into `Character.hitboxes`. */
  hitbox: Uint16Array;
  joint: Uint16Array;
  /** Three numbers for each hitbox. */
  center: Float32Array;
  halfExtents: Float32Array;
  /** Nine numbers for each hitbox: its unit axes x, y and z. */
  axes: Float32Array;
}

export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

/** One character in a pose. Poses can be used again and again, for any character. */
export class Pose implements Owned {
  constructor();
  /** Throws `POSE_REFUSED` if a matrix or a time is not finite, or the number of joints is wrong. */
  fromRest(character: Character, worldFromModel?: Matrix): this;
  /** `seconds` is on the clip's own clock; see `Character.clipTime`. */
  fromClip(character: Character, clip: number, seconds: number, worldFromModel?: Matrix): this;
  /** `modelFromJoint` has a matrix (16 numbers) for each joint of the character, in the order of its joints. */
  fromModel(character: Character, modelFromJoint: ArrayLike<number>, worldFromModel?: Matrix): this;
  /** `worldFromJoint` has a matrix (16 numbers) for each joint of the character, in the order of its joints. */
  fromWorld(character: Character, worldFromJoint: ArrayLike<number>): this;
  readonly hitboxes: PosedHitboxes;
  readonly bounds: Bounds;
  /** Lets exact questions be asked from the next pose on. The character must have its skin (`Character.hasSkin`). */
  trackSkin(isTracked?: boolean): void;
  /** The first point of the skin that a ray hits. `maxTime` is in lengths of `direction`. */
  exactRay(origin: Vec3, direction: Vec3, maxTime?: number): SkinRayHit | null;
  /** True if a point in world space is inside the closed parts of the skin. */
  skinContains(point: Vec3): boolean;
  free(): void;
  [Symbol.dispose](): void;
}

export interface SkinRayHit {
  joint: number;
  /** True if the ray hits the front of the triangle. */
  front: boolean;
  sourceTriangle: number;
  barycentric: [number, number, number];
  /** In lengths of the ray's direction. */
  time: number;
  point: [number, number, number];
  normal: [number, number, number];
  shadingNormal: [number, number, number];
  textureCoordinate: [number, number] | null;
}

export interface BoxPair {
  boxA: number;
  boxB: number;
  jointA: number;
  jointB: number;
}

export interface Contact extends BoxPair {
  /** The distance by which the hitboxes must move apart, in world units. */
  depth: number;
  /** The unit direction from A to B. */
  direction: [number, number, number];
  center: [number, number, number];
  points: [number, number, number][];
}

export interface Closest extends BoxPair {
  distance: number;
  pointA: [number, number, number];
  pointB: [number, number, number];
}

export interface SweepHit extends BoxPair {
  /** From 0 (the first poses) to 1 (the second poses). */
  time: number;
  direction: [number, number, number];
}

export interface SkinOverlap {
  jointA: number;
  jointB: number;
  sourceTriangleA: number;
  sourceTriangleB: number;
  /** A point in world space that both skins share. */
  point: [number, number, number];
}

export interface SkinDistance extends Omit<SkinOverlap, 'point'> {
  distance: number;
  pointA: [number, number, number];
  pointB: [number, number, number];
}

/** Returns true if any hitbox of `a` overlaps any hitbox of `b`. */
export function overlaps(a: Pose, b: Pose): boolean;
/** The pairs of joints that overlap: joint of A, joint of B, joint of A, joint of B, …, sorted. */
export function overlappingJoints(a: Pose, b: Pose): Uint16Array;
export function overlappingBoxes(a: Pose, b: Pose): BoxPair[];
export function contacts(a: Pose, b: Pose): Contact[];
/** The two nearest hitboxes; `null` if they are farther apart than `maxDistance`, in world units. */
export function distance(a: Pose, b: Pose, maxDistance?: number): Closest | null;
/** All first touches of two characters that move from one pose to the next. */
export function sweepAll(aFrom: Pose, aTo: Pose, bFrom: Pose, bTo: Pose, relativeTolerance?: number): SweepHit[];
/** The pairs of joints whose skins share a point, exactly. Both poses must track their skin. */
export function exactOverlaps(a: Pose, b: Pose): SkinOverlap[];
export function exactDistance(a: Pose, b: Pose, maxDistance?: number): SkinDistance | null;

/** Which hitboxes a question finds. */
export interface Filter {
  /** Bodies that the question ignores. */
  exclude?: number[];
  /** Finds the hitboxes that have at least one of these tags, at most 16. */
  tags?: string[];
  /** The layers that the question is in, and those that it finds; one bit for each layer. */
  memberships?: number;
  mask?: number;
  /** Ignores the bodies of this team. */
  team?: number;
}

/** How a body takes part in touches. */
export interface BodySettings {
  memberships?: number;
  mask?: number;
  team?: number;
  selfTouches?: boolean;
  continuous?: boolean;
}

export type Shape =
  | { sphere: { center: Vec3; radius: number } }
  | { capsule: { start: Vec3; end: Vec3; radius: number } }
  | { box: { center: Vec3; halfExtents: Vec3; orientation?: ArrayLike<number> } };

export interface ClipPose {
  body: number;
  clip: number;
  seconds: number;
  worldFromModel?: Matrix;
}

export interface Touch extends BoxPair {
  bodyA: number;
  bodyB: number;
}

export interface TouchEvent extends Touch {
  phase: 'started' | 'persisted' | 'ended';
}

export interface RayHit {
  body: number;
  hitbox: number;
  joint: number;
  startsInside: boolean;
  /** The times at which the ray enters and leaves the hitbox, in lengths of its direction. */
  entry: number;
  exit: number;
  point: [number, number, number];
  normal: [number, number, number];
}

/** The first hits of many rays; entry `i` of each array belongs to ray `i`. Where `found` is 0, the other entries are 0. */
export interface RayHits {
  found: Uint8Array;
  body: Float64Array;
  hitbox: Uint16Array;
  joint: Uint16Array;
  entry: Float32Array;
  exit: Float32Array;
  /** Three numbers for each ray. */
  point: Float32Array;
  normal: Float32Array;
}

export interface BodyOverlap {
  body: number;
  hitbox: number;
  joint: number;
}

/** Bodies, each with a character and a pose. A body is a whole number from 0 to 2^53 - 1 that you choose. */
export class World implements Owned {
  constructor();
  insert(body: number, character: Character, settings?: BodySettings): void;
  remove(body: number): void;
  readonly bodies: number[];
  poseFromRest(body: number, worldFromModel?: Matrix): void;
  poseFromClips(poses: ClipPose[]): void;
  poseFromModel(body: number, modelFromJoint: ArrayLike<number>, worldFromModel?: Matrix): void;
  poseFromWorld(body: number, worldFromJoint: ArrayLike<number>): void;
  setPose(body: number, pose: Pose): void;
  /** A copy of the body's pose, which you free. */
  getPose(body: number): Pose;
  setBoxLayers(body: number, boxes: BoxSet, memberships: number, mask: number): void;
  setBoxesEnabled(body: number, boxes: BoxSet, isEnabled: boolean): void;
  trackSkin(body: number, isTracked?: boolean): void;
  /** Begins a motion at the present poses, for `sweep`. */
  startMotion(): void;
  /** Finds all touches, and the events since the last update. */
  update(): void;
  readonly events: TouchEvent[];
  readonly touches: Touch[];
  hitboxes(body: number): PosedHitboxes;
  castRay(origin: Vec3, direction: Vec3, options?: Filter & { maxTime?: number }): RayHit | null;
  castRayAll(origin: Vec3, direction: Vec3, options?: Filter & { maxTime?: number }): RayHit[];
  castRayAny(origin: Vec3, direction: Vec3, options?: Filter & { maxTime?: number }): boolean;
  /** Casts many rays. Each has seven numbers: origin, direction, largest time. */
  castRays(rays: ArrayLike<number>, filter?: Filter): RayHits;
  overlappingBoxes(shape: Shape, filter?: Filter): BodyOverlap[];
  castShapeAll(from: Shape, to: Shape, relativeTolerance?: number, filter?: Filter): (BodyOverlap & { time: number; direction: [number, number, number] })[];
  sweep(relativeTolerance?: number, filter?: Filter): (SweepHit & { bodyA: number; bodyB: number }) | null;
  exactTouches(filter?: Filter): (SkinOverlap & { bodyA: number; bodyB: number })[];
  exactRay(origin: Vec3, direction: Vec3, options?: Filter & { maxTime?: number }): (SkinRayHit & { body: number }) | null;
  free(): void;
  [Symbol.dispose](): void;
}

/** The size of the memory of WebAssembly, in bytes. It grows as objects need it, and never shrinks. */
export function memoryBytes(): number;
