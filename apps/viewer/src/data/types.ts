// The data that the server sends and that a report contains. crates/page-answers writes them.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** Little-endian numbers in base64. */
export type Packed = string;

/** The characters and options that the user can choose. */
export interface Listing {
  tool: string;
  characters: { file: string; name: string }[];
  options: OptionHelp[];
  /** The address on which the server listens for a body tracker; `null` if the server does not listen. */
  tracker: string | null;
  /** True if the server has explained shots. */
  has_shots: boolean;
}

export interface OptionHelp {
  key: string;
  values: string;
  text: string;
}

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

/** A shape of a body in the space of the body, with its solid about its center; a capsule lies along y. */
export type BodyShape = { center: Vec3; rotation: Quat } & (
  | { box: Vec3 }
  | { capsule: { half_length: number; radius: number } }
  | { sphere: number }
  | { hull: Vec3[] }
);

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

/** A character's boxes for given options. */
export interface Bake {
  bake: Baked;
  /** The color of each joint, as `#rrggbb`. */
  colors: string[];
  /** The part of the body that each joint belongs to, such as `torso`, from its name or the tags of its first box. */
  parts: string[];
  /** The bounds of the boxes at rest, in model space. */
  bounds: { min: Vec3; max: Vec3 };
  /** The full extents of each hitbox along its own axes, in meters of the character at rest. */
  sizes: Vec3[];
  /** The shapes of each body of the ragdoll; empty without a ragdoll. */
  body_shapes: BodyShape[][];
  /** The volume of all boxes at rest, in model units cubed. */
  volume: number;
  /** The presets that the settings give to single joints. */
  joint_presets: Record<string, string>;
  /** The limits that the bake breaks, one sentence for each. */
  broken: string[];
  /** The settings file that applies to the asset; `null` if there is none, or in a report. */
  settings: string | null;
  /** The hitboxes that the character has in common with others; `null` if it shares none. */
  shared: SharedFigures | null;
}

export interface SharedFigures {
  /** The name of the set. */
  set: string;
  /** The volume of the hitboxes divided by that of the hitboxes that the character would have alone; `null` if these have none. */
  volume_ratio: number | null;
  /** The characters of the set, by number, and with this character. */
  members: number[];
  /** The names of the characters of the set that are not on the page. */
  absent: string[];
}

/** Returns true if the run time computes the hitboxes for each pose, so that the baked boxes are right only in the bind pose. */
export function hasPosedBoxes({ bake }: Bake): boolean {
  return bake.options['poses'] === 'any';
}

/** The part of one joint's surface that is outside all boxes. */
export interface Escape {
  joint: string;
  /** The share of the joint's surface area that is outside, over all moments. */
  outside: number;
  /** The largest distance, as a share of the character's height. */
  distance: number;
  /** The clip of the largest distance; `null` is the rest pose. */
  clip: string | null;
  /** The time of the largest distance on the clip's own clock, in seconds. */
  time: number;
  /** The farthest point, in model space; `null` if only its joint and its time are known. */
  point: Vec3 | null;
}

/** The transform from joint space to the parent's space at rest. */
export type Rest = { t: Vec3; r: Quat; s: Vec3 } | { m: number[] };

export type Property = 'translation' | 'rotation' | 'scale';
export type Interpolation = 'step' | 'linear' | 'cubic';

export interface ChannelData {
  joint: number;
  property: Property;
  interpolation: Interpolation;
  timeline: number;
  values: Packed;
}

export interface ClipData {
  name: string;
  start: number;
  seconds: number;
  timelines: Packed[];
  channels: ChannelData[];
}

export interface MeshData {
  name: string;
  /** The node of the file that has this mesh. */
  node: number;
  /** The joint of each slot. */
  joints: number[];
  /** The transform from mesh space to joint space for each slot: 12 numbers, column by column. */
  binds: Packed;
  positions: Packed;
  /** The four strongest influences of each vertex; their weights sum to 1. */
  slots: Packed;
  weights: Packed;
  triangles: Packed;
}

export interface AttachmentData {
  name: string;
  /** The node of the file that has this mesh. */
  node: number;
  joint: number;
  /** The transform from mesh space to joint space: 12 numbers, column by column. */
  matrix: number[];
  positions: Packed;
  triangles: Packed;
}

/** The skeleton and the surface of a character. */
export interface Model {
  joints: { name: string; parent: number | null; skinned: boolean }[];
  rest: Rest[];
  clips: ClipData[];
  meshes: MeshData[];
  attachments: AttachmentData[];
}

/** A line of `bonebox duel --json`. */
export interface Tick {
  tick: number;
  time: number;
  /** The pairs of joints whose hitboxes touch. */
  pairs: { a: string; b: string; depth: number }[];
  /** The pairs of joints whose skins touch, each with a point in world space that both share, and those with skin inside the other character, without a point. Missing in a duel of hitboxes only. */
  skin?: { a: string; b: string; point?: Vec3 }[];
}

export interface DuelQuery {
  a: number;
  b: number;
  clipA: string;
  clipB: string;
  distance: number;
  turn: number;
  fps: number;
  /** True for a duel of skins too. */
  exact: boolean;
}

/** A ray at a character in a pose. */
export interface RayQuery {
  id: number;
  /** The clip by name; an empty name is the rest pose. */
  clip: string;
  /** The time after the clip's start, in seconds; the clip plays in a loop. */
  time: number;
  /** The place of the second character of a duel; `null` for a character at the origin. */
  opposite: { distance: number; turn: number } | null;
  /** The start and the unit direction of the ray, in world space. */
  origin: Vec3;
  direction: Vec3;
}

/** The first point that a ray hits, in world space. */
export interface RayAnswer {
  joint: string;
  /** The first hitbox of the joint that the ray hits, by number; `null` if the ray passes all of them. */
  hitbox: number | null;
  /** The distance from the ray's origin, in world units. */
  distance: number;
  point: Vec3;
  /** The smooth unit normal of the skin; `null` if the file has no skin. */
  normal: Vec3 | null;
  /** The texture coordinate; `null` if the file has no skin or the mesh has no texture coordinates. */
  texture_coordinate: [number, number] | null;
  /** The triangles to highlight: the parts of the hit triangle of the source, or the faces of the hitbox if the file has no skin. */
  triangles: [Vec3, Vec3, Vec3][];
  /** The hit triangle of the source; `null` if the file has no skin. */
  source: { mesh: string; node: number; triangle: number } | null;
  /** True if the ray hit the skin, false if the file has no skin and the ray hit a hitbox. */
  is_skin: boolean;
}

export interface Duel {
  /** The second character's transform from model space to world space: 12 numbers, column by column. */
  place: number[];
  ticks: Tick[];
  /** Sorted by time. */
  strikes: DuelStrike[];
  /** The reason why there are no strikes; `null` if they are known. */
  strike_problem: string | null;
}

/** An attack that met the other character of a duel. */
export interface DuelStrike {
  /** The tick before the strike. */
  tick: number;
  /** The time since the duel began, in seconds. */
  time: number;
  outcome: 'hit' | 'trade' | 'guard' | 'armor' | 'invulnerable' | 'clash' | 'grab' | 'throw';
  attacker: 'a' | 'b';
  attack: string;
  /** The time of the attacker's clip, on its own clock in seconds. */
  clip_time: number;
  joint: string;
  /** The attacker's hitbox and the hitbox that was met, as indices into `Baked.boxes`. */
  hitbox: number;
  target_joint: string;
  target_hitbox: number;
  target_tags: string[];
  /** The middle of the contact, in world space. */
  point: Vec3;
  normal: Vec3;
  depth: number;
  /** What the attack carries for the game. */
  data?: unknown;
}

/** The shots of a file, one in each line. */
export interface ListedShots {
  file: string;
  shots: ListedShot[];
  /** The number of further shots in the file. */
  more: number;
}

export interface ListedShot {
  /** The line of the file, counted from 1. */
  line: number;
  answer: 'hit' | 'blocked' | 'left out' | 'missed' | 'not there' | 'not allowed';
  /** The body that the shot was meant for. */
  target: number;
  sentence: string;
  /** The name of the target's character, and its number on the page; `null` if it is not known, or not on the page. */
  character: string | null;
  id: number | null;
}

/** The hitbox of the target that is nearest to the ray. Points are in world space. */
export interface NearestHitbox {
  /** An index into `Baked.boxes`. */
  box_index: number;
  joint: string;
  tags: string[];
  is_enabled: boolean;
  /** In world units; 0 if the ray hits it. */
  distance: number;
  on_ray: Vec3;
  on_hitbox: Vec3;
}

/** What the page draws of a shot. Everything but the line may be missing. */
export interface ShownShot {
  line: number;
  /** The ray in world space; it ends after `max_time` lengths of its direction, or does not end. */
  ray: { origin: Vec3; direction: Vec3; max_time: number | null } | null;
  nearest: NearestHitbox | null;
  /** The target at the moment that was used, and at the newest tick. */
  then: ShownPose | null;
  now: ShownPose | null;
  /** The reason why something is not drawn. */
  problem: string | null;
}

export interface ShownPose {
  /** The transform from model space to world space: 12 numbers, column by column. */
  place: number[];
  /** The transforms of the joints, from joint space to the parent's space: 12 numbers each, column by column. */
  joints: Packed;
}

/** The character that the tracker moves, and its opponent. */
export interface LiveQuery {
  player: number;
  opponent: number;
  /** The opponent's clip by name; an empty name is the rest pose. */
  clip: string;
  distance: number;
  turn: number;
}

/** The first line of a live stream. */
export interface LiveStart {
  /** The opponent's transform from model space to world space: 12 numbers, column by column. */
  place: number[];
}

/** Each later line of a live stream: one moment. */
export interface LiveMoment {
  /** The time since the server began to listen, in seconds. The opponent's clip began at 0. */
  time: number;
  /** The transforms of the player's joints, from joint space to the parent's space: 12 numbers each, column by column. */
  joints: Packed;
  /** The joints that touch. */
  touches: { a: string; b: string }[];
  /** Counts since the stream began. */
  packets: { all: number; late: number; damaged: number; lost: number };
}

/** A version that changes with the files of a character, and the present number of characters. */
export interface Version {
  version: string;
  characters: number;
}

/** A bake in a report; `preset` is null for a bake with the options of the command line. */
export interface Kept {
  id: number;
  preset: string | null;
  bake: Bake;
  escapes: Escape[];
}

/** The data that `bonebox report` puts into the page. */
export interface Embedded {
  listing: Listing;
  models: Model[];
  bakes: Kept[];
  /** The files of the characters, for the baker; empty in a report without the baker. */
  sources: SourceFile[];
  /** The options of the command line. */
  options: [string, string][];
}

/** The file of a character, and what its bake needs. */
export interface SourceFile {
  name: string;
  content: Packed;
  /** The text of the `bonebox.toml` that applies. */
  settings: string;
  /** The other files that a .gltf names, by the URI in it. */
  buffers: Record<string, Packed>;
}

/** The file of a character. */
export interface AssetFile {
  bytes: ArrayBuffer;
  /** Returns the address of a file beside the character's file, by the URI in that file. */
  addressOf(uri: string): string;
}
