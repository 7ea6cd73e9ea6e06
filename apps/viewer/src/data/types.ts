// The data that the server sends and that a report contains. Generated from the Rust types of crates/page-answers:
// `BONEBOX_TYPES=write cargo test -p bonebox-page-answers` writes this file again.

import type { Baked, Quat, Shape, Vec3 } from './baked';

export type AttachmentData = {
  name: string;
  /** The node of the file with this mesh. */
  node: number;
  joint: number;
  /** The transform from mesh space to joint space: 12 numbers, column by column. */
  matrix: Array<number>;
  /** Three 32-bit floats for each vertex, in mesh space. */
  positions: Packed;
  /** Three numbers of vertices for each triangle: 32-bit integers. */
  triangles: Packed;
};

/** The boxes of a character for some options. */
export type Bake = {
  /** NAME.bonebox.json, as `bonebox bake` writes it. */
  bake: Baked;
  /** The color of each joint as `#rrggbb`, as in pictures. */
  colors: Array<string>;
  /** The part of the body that each joint belongs to, such as `torso`, from its name or the tags of its first box. */
  parts: Array<string>;
  /** The bounds of the boxes at rest, in model space. */
  bounds: Bounds;
  /** The full extents of each hitbox along its own axes, in meters of the character at rest. */
  sizes: Array<Vec3>;
  /** The shapes of each body of the ragdoll; empty without a ragdoll. */
  body_shapes: Array<Array<BodyShape>>;
  /** The sum of the hitboxes' volumes at rest, in model units cubed. */
  volume: number;
  /** The presets that the settings give to single joints. */
  joint_presets: { [key in string]: string };
  /** The limits that the bake breaks, one sentence each. */
  broken: Array<string>;
  /** The settings file that applies to the asset; `null` if there is none, or in a report. */
  settings: string | null;
  /** The hitboxes that the character has in common with others; `null` if it shares none. */
  shared: SharedFigures | null;
};

/**
 * A shape of a rigid body in the space of the body, in meters. About its center, it is a box with half extents, a capsule
 * along y, a sphere with a radius, or a hull with vertices.
 */
export type BodyShape = { center: Vec3, rotation: Quat } & ({ 'box': Vec3 }
  | { 'capsule': { half_length: number, radius: number } }
  | { 'sphere': number }
  | { 'hull': Array<Vec3> });

/** An axis-aligned box in model space. */
export type Bounds = {
  min: Vec3;
  max: Vec3;
};

export type ChannelData = {
  joint: number;
  property: Property;
  interpolation: Interpolation;
  /** The times of the keys, an index into `timelines`. */
  timeline: number;
  /** The values of the keys: 32-bit floats. */
  values: Packed;
};

export type ClipData = {
  name: string;
  /** The time of the first key, in seconds on the clip's own clock. */
  start: number;
  /** The duration, in seconds. */
  seconds: number;
  /** The times of keys, in seconds on the clip's own clock: 32-bit floats. */
  timelines: Array<Packed>;
  channels: Array<ChannelData>;
};

/** A duel of two characters. */
export type Duel = {
  /** The transform of the second character from model space to world space: 12 numbers, column by column. */
  place: Array<number>;
  /** The ticks, as `bonebox duel --json` prints them. */
  ticks: Array<Tick>;
  /** Sorted by time. */
  strikes: Array<DuelStrike>;
  /** The reason why there are no strikes; `null` if they are known. */
  strike_problem: string | null;
};

/** One attack that met the other character. */
export type DuelStrike = {
  /** The tick before the strike, or at it. */
  tick: number;
  /** The time in seconds since the duel began. */
  time: number;
  /** What happened. */
  outcome: StrikeOutcome;
  /** The character that attacks. */
  attacker: Side;
  /** The attack's name. */
  attack: string;
  /** The time of the attacker's clip, in seconds on the clip's own clock. */
  clip_time: number;
  /** The joint of the attacker's hitbox, by name. */
  joint: string;
  /** The tags of the attacker's hitbox. */
  tags: Array<string>;
  /** The attacker's hitbox, by number. */
  hitbox: number;
  /** The joint of the hitbox that was met, by name. */
  target_joint: string;
  /** The hitbox that was met, by number. */
  target_hitbox: number;
  /** The tags of the hitbox that was met. */
  target_tags: Array<string>;
  /** The middle of the contact, in world space. */
  point: Vec3;
  /** The unit direction of the contact in world space, from the attacker's hitbox towards the other. */
  normal: Vec3;
  /** The depth of the contact, in world units. */
  depth: number;
  /** What the attack carries for the game. */
  data?: unknown;
};

/** A hitbox of an edited joint, in joint space and its unit. The half extents of round shapes are as in `Hitbox`. */
export type EditedHitbox = {
  /** A hull becomes the box around it as soon as its joint is edited. */
  shape: Exclude<Shape, 'hull'>;
  role: string;
  tags: Array<string>;
  center: Vec3;
  half_extents: Vec3;
  orientation: Quat;
};

/** The text of a settings file with edited hitboxes. */
export type EditedText = {
  text: string;
  /** What a person should know about the edits. */
  notes: Array<string>;
};

/** The escape of one joint's surface from the boxes. */
export type Escape = {
  /** The joint, by name. */
  joint: string;
  /** The average share of its surface's area outside the boxes, over the poses in which coverage is measured. */
  outside: number;
  /** The escape, as a share of the character's height. */
  distance: number;
  /** The name of the clip; `null` at rest. */
  clip: string | null;
  /** The time in seconds on the clip's own clock. */
  time: number;
  /** The position in model space. */
  point: Vec3;
};

/** The interpolation between two keys. */
export type Interpolation = 'step' | 'linear' | 'cubic';

export type JointData = {
  name: string;
  /** The parent, an index into `joints`; `null` for a root. */
  parent: number | null;
  /** `true` if skin is bound to the joint. */
  skinned: boolean;
};

/** The hitboxes of a joint, or `fitted` for those that the bake fits. */
export type JointEdit = Array<EditedHitbox> | 'fitted';

/** The edits of joints, by the names of the joints. */
export type JointEdits = { [key in string]: JointEdit };

/** The skin of one joint with edited hitboxes, over the rest pose and all clips. */
export type JointFigures = {
  joint: string;
  /** The share of its skin inside any hitbox, 0 to 1. */
  inside: number;
  /** The share of its skin inside its own hitboxes, 0 to 1. */
  own: number;
  /** Where its skin is farthest outside; `null` if it leaves no hitbox. */
  escape: Escape | null;
};

/** A bake in a report. */
export type Kept = {
  /** The number of the character. */
  id: number;
  /** The preset; `null` for the options of the command line. */
  preset: string | null;
  /** The hitboxes. */
  bake: Bake;
  /** The surface that leaves the hitboxes, the farthest first. */
  escapes: Array<Escape>;
};

/** A character that a user can choose. */
export type ListedCharacter = {
  /** The name of the file, without folders. */
  file: string;
  name: string;
};

/** A bake option that a user can choose. */
export type ListedOption = {
  key: string;
  /** The values that the option takes, for people. */
  values: string;
  /** What the option does, for people. */
  text: string;
};

/** The characters and options that a user can choose from. */
export type Listing = {
  /** The program and its version. */
  tool: string;
  characters: Array<ListedCharacter>;
  options: Array<ListedOption>;
  /** The address for a body tracker's packets; `null` if nothing listens. */
  tracker: string | null;
  /** `true` if there are explained shots. */
  has_shots: boolean;
};

/** Asks for the figures of a character with edited hitboxes. */
export type MeasureQuery = {
  /** The number of the character. */
  id: number;
  /** The options of the bake, as in a question. */
  options?: { [key in string]: string };
  edits: JointEdits;
  /** The joints whose skin is measured, by name; `null` for all skin. */
  joints: Array<string> | null;
};

/** The figures of a character with edited hitboxes. */
export type Measured = {
  /** The figures of all skin; `null` if only some joints were measured. */
  coverage: MeasuredCoverage | null;
  joints: Array<JointFigures>;
};

/** The figures of all skin, with the names that they have in a baked file. */
export type MeasuredCoverage = {
  surface_rest: number;
  surface_clips: number;
  own_rest: number;
  own_clips: number;
  max_escape: number;
  every_sample_time: boolean;
};

export type MeshData = {
  name: string;
  /** The node of the file with this mesh. */
  node: number;
  /** The joint of each slot. */
  joints: Array<number>;
  /** The transform from mesh space to joint space for each slot: 12 32-bit floats, column by column. */
  binds: Packed;
  /** Three 32-bit floats for each vertex, in mesh space. */
  positions: Packed;
  /** The slots of the four strongest influences of each vertex: 16-bit integers. */
  slots: Packed;
  /** The weights of these influences, which sum to 1: 32-bit floats. */
  weights: Packed;
  /** Three numbers of vertices for each triangle: 32-bit integers. */
  triangles: Packed;
};

/** The skeleton, the clips and the surface of a character. */
export type Model = {
  joints: Array<JointData>;
  /** The transform of each joint at rest. */
  rest: Array<Rest>;
  clips: Array<ClipData>;
  meshes: Array<MeshData>;
  attachments: Array<AttachmentData>;
};

/** Little-endian numbers in base64. */
export type Packed = string;

/** Two joints that touch. */
export type Pair = {
  /** The joint of the first character, by name. */
  a: string;
  /** The joint of the second character, by name. */
  b: string;
  /** The depth of the overlap: the distance by which the joints must move apart, in world units. */
  depth: number;
};

/** The part of a joint's transform that a channel moves. */
export type Property = 'translation' | 'rotation' | 'scale';

/** The first point of a character that a ray hits: of its skin, or of its hitboxes if the file has no skin. */
export type RayAnswer = {
  /** The joint that owns the surface or the hitbox, by name. */
  joint: string;
  /** The first hitbox of the joint that the ray hits; `null` if the ray passes all of them. */
  hitbox: number | null;
  /** The distance from the ray's origin, in world units. */
  distance: number;
  /** The hit, in world space. */
  point: Vec3;
  /** The smooth unit normal of the skin at the hit, in world space; `null` if the file has no skin. */
  normal: Vec3 | null;
  /** glTF's `TEXCOORD_0` at the hit; `null` if the file has no skin or the mesh has no texture coordinates. */
  texture_coordinate: [number, number] | null;
  /**
   * The triangles to highlight, in world space: the parts of the source triangle that is hit, or the faces of the
   * hull that is hit or of the box around another hitbox.
   */
  triangles: Array<[Vec3, Vec3, Vec3]>;
  /** The source triangle; `null` if the file has no skin. */
  source: SourceTriangle | null;
  /** `true` if the hit is on the skin. */
  is_skin: boolean;
};

/**
 * The transform from joint space to the parent's space: translation, rotation and scale, or a matrix of 12 numbers, column
 * by column.
 */
export type Rest = { t: Vec3, r: Quat, s: Vec3 } | { m: Array<number> };

/** The hitboxes that a character has in common with others, and these others. */
export type SharedFigures = {
  /** The name of the set in the settings file. */
  set: string;
  /**
   * The volume of all hitboxes at rest, divided by that of the hitboxes that the character would have alone; `null` if these
   * have no volume.
   */
  volume_ratio: number | null;
  /** The characters of the set on the page, by number, and with this character. */
  members: Array<number>;
  /** The names of the characters of the set that are not on the page. */
  absent: Array<string>;
};

/** One of the two characters of a duel. */
export type Side = 'a' | 'b';

/** Two joints whose pieces of skin share a point, or one of which is inside the other character. */
export type SkinPair = {
  /** The joint of the first character, by name. */
  a: string;
  /** The joint of the second character, by name. */
  b: string;
  /** A point in world space that both pieces share; `undefined` if one piece is inside the other character. */
  point?: Vec3;
};

/** A triangle of the file that a character was baked from. */
export type SourceTriangle = {
  /** The name of the mesh. */
  mesh: string;
  /** The node of the file with this mesh. */
  node: number;
  /** The number of the triangle in its mesh. */
  triangle: number;
};

/** What an attack did when it met the other character. */
export type StrikeOutcome = 'hit' | 'trade' | 'guard' | 'armor' | 'invulnerable' | 'clash' | 'grab' | 'throw';

/** The contacts of one tick. */
export type Tick = {
  /** The number of the tick, counted from 0. */
  tick: number;
  /** The time in seconds. */
  time: number;
  /** The pairs of joints whose hitboxes overlap, sorted by A's joint, then by B's joint. */
  pairs: Array<Pair>;
  /**
   * The pairs of joints whose skins touch, sorted by A's joint, then by B's joint. Then follow the pairs whose
   * hitboxes overlap, and one of whose skins is inside the other character without touching its skin. `undefined` in a
   * duel of hitboxes only.
   */
  skin?: Array<SkinPair>;
};
