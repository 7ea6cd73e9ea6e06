// NAME.bonebox.json. Written by hand, because crates/baked-format writes this JSON field by field and has no types for it.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** One hitbox, as in NAME.bonebox.json, in joint space. */
export interface Hitbox {
  joint: string;
  joint_index: number;
  /** The shape inside the box around it; a capsule lies along y. Files of earlier versions have boxes and no shape. */
  shape?: 'box' | 'capsule' | 'sphere' | 'hull';
  /** What the hitbox is for; missing for `hurt`. */
  role?: string;
  tags: string[];
  center: Vec3;
  half_extents: Vec3;
  orientation: Quat;
  /** The hull of a hitbox with the shape `hull`: its vertices, and triangles of numbers of vertices, counter-clockwise seen from outside. */
  hull?: { vertices: Vec3[]; triangles: Vec3[] };
  vertices: number;
  hull_vertices: number;
  hull_volume: number;
  volume: number;
  min_volume_ratio?: number;
}

export type Shape = NonNullable<Hitbox['shape']>;

/** The first and the last moment of a window, in seconds on the clip's own clock. */
export type TimeWindow = [from: number, to: number];

export type AttackKind = 'strike' | 'grab' | 'throw';
export type StateKind = 'invulnerable' | 'guard' | 'armor' | 'grabbable';

/** Hitboxes that attack during parts of a clip. */
export interface Attack {
  clip: string;
  name: string;
  kind: AttackKind;
  /** Indices into `Baked.boxes`. */
  boxes: number[];
  active: TimeWindow[];
}

/** Hitboxes that are in a state during parts of a clip. */
export interface ClipState {
  clip: string;
  kind: StateKind;
  boxes: number[];
  active: TimeWindow[];
}

/** A rigid body of the ragdoll. Its space is in meters, at the origin of the joint, along the joint's axes in the rest pose. */
export interface RagdollBody {
  joint: string;
  joint_index: number;
  /** The origin and the rotation of the body in the rest pose, in model space. */
  position: Vec3;
  rotation: Quat;
  /** The hitboxes of the body: indices into `Baked.boxes`. */
  boxes: number[];
  /** In kilograms. */
  mass: number;
  center_of_mass: Vec3;
  /** The inertia tensor about the center of mass in kg m²: xx, yy, zz, xy, xz, yz. */
  inertia: [number, number, number, number, number, number];
  /** What holds the body; missing for the root of a tree of bodies. */
  constraint?: Constraint;
}

/** Holds a body at its parent: crates/baked-format/src/ragdoll.rs says what frames and limits mean. */
export interface Constraint {
  /** The body that holds this one, an index into `Baked.bodies` below that of this body. */
  parent: number;
  kind: 'ball' | 'hinge';
  /** The origin of both frames in the space of the parent. */
  anchor: Vec3;
  parent_from_frame: Quat;
  body_from_frame: Quat;
  /** The largest twist, and the largest y and z of the swing vector, in radians. */
  limits: Vec3;
  /** In N m for each radian, and for each radian per second. */
  stiffness: number;
  damping: number;
  limits_from: 'clips' | 'human-range' | 'settings' | 'unknown';
}

/** The content of NAME.bonebox.json. */
export interface Baked {
  name: string;
  source: { file: string; blake3: string; generator: string };
  algorithm_revision: number;
  options: Record<string, string>;
  joints: { name: string; node: number; parent: number | null }[];
  boxes: Hitbox[];
  clips: { name: string; seconds: number }[];
  /** The joints of the standard bones of a human figure; missing if the character is none. */
  humanoid?: { source: string; bones: Record<string, string> };
  /** Missing if the character has none. */
  attacks?: Attack[];
  states?: ClipState[];
  /** The ragdoll, and the pairs of its bodies that never collide. Missing if the character has none. */
  bodies?: RagdollBody[];
  no_collision?: [number, number][];
  coverage?: {
    surface_rest: number;
    surface_clips: number;
    /** Shares of the surface inside a box of its own joint; missing in files of earlier versions. */
    own_rest?: number;
    own_clips?: number;
    max_escape: number;
    /** `false` if not every sample time was measured, so that the largest escape is at least `max_escape`. */
    every_sample_time?: boolean;
    worst?: { joint: string; clip?: string; time: number };
  };
  warnings: { code: string; joint?: string; text: string }[];
}

/** Returns true if the run time computes the hitboxes for each pose, so that the baked boxes are right only in the bind pose. */
export function hasPosedBoxes({ bake }: { bake: Baked }): boolean {
  return bake.options['poses'] === 'any';
}
