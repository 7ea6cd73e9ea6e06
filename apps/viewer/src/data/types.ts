// What the server sends, and what a report holds. Made by apps/bonebox-cli/src/view/data.rs.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** Base64 of little-endian numbers. */
export type Packed = string;

/** All there is to choose from. */
export interface Listing {
  tool: string;
  characters: { file: string; name: string }[];
  options: OptionHelp[];
  /** The address on which the server listens for a body tracker; `null` where it does not. */
  tracker: string | null;
}

export interface OptionHelp {
  key: string;
  values: string;
  text: string;
}

/** One box, as in NAME.bonebox.json: joint space. */
export interface Hitbox {
  joint: string;
  joint_index: number;
  tags: string[];
  center: Vec3;
  half_extents: Vec3;
  orientation: Quat;
  vertices: number;
  hull_vertices: number;
  hull_volume: number;
  volume: number;
  min_volume_ratio?: number;
}

/** NAME.bonebox.json. */
export interface Baked {
  name: string;
  source: { file: string; blake3: string; generator: string };
  options: Record<string, string>;
  joints: { name: string; node: number; parent: number | null }[];
  boxes: Hitbox[];
  clips: { name: string; seconds: number }[];
  coverage?: {
    surface_rest: number;
    surface_clips: number;
    /** Shares of the surface inside a box of its own joint; not in files of earlier versions. */
    own_rest?: number;
    own_clips?: number;
    max_escape: number;
    /** `false` where `max_escape` is the least that the escape can be. */
    every_sample_time?: boolean;
    worst?: { joint: string; clip?: string; time: number };
  };
  warnings: { code: string; joint?: string; text: string }[];
}

/** A character's boxes for some options. */
export interface Bake {
  bake: Baked;
  /** `#rrggbb` of each joint. */
  colors: string[];
  /** The part of the body that each joint belongs to: the first tag of its boxes, else what its name says. */
  parts: string[];
  /** Around the boxes at rest, model space. */
  bounds: { min: Vec3; max: Vec3 };
  /** Of all boxes at rest, model units cubed. */
  volume: number;
  /** The margins that the settings give to single joints, in shares of the character's height. */
  margins: Record<string, string>;
  /** Limits of the settings that the bake does not keep to, a sentence each. */
  broken: string[];
  /** The settings file that applies to the asset; `null` if there is none, or in a report. */
  settings: string | null;
}

/** What leaves the boxes of one joint's surface. */
export interface Escape {
  joint: string;
  /** Share of its surface's area over all moments. */
  outside: number;
  /** Share of the character's height. */
  distance: number;
  /** `null` in the rest pose. */
  clip: string | null;
  /** On the clip's own clock, in seconds. */
  time: number;
  /** Model space. */
  point: Vec3;
}

/** Parent from joint at rest. */
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
  /** Which joint each slot is. */
  joints: number[];
  /** Joint from mesh for each slot: 12 numbers, columns. */
  binds: Packed;
  positions: Packed;
  /** Four a vertex: the strongest, weights adding up to 1. */
  slots: Packed;
  weights: Packed;
  triangles: Packed;
}

export interface AttachmentData {
  name: string;
  /** The node of the file that has this mesh. */
  node: number;
  joint: number;
  /** Joint from mesh: 12 numbers, columns. */
  matrix: number[];
  positions: Packed;
  triangles: Packed;
}

/** What moves and what is seen. */
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
  pairs: { a: string; b: string; depth: number }[];
}

export interface DuelQuery {
  a: number;
  b: number;
  clipA: string;
  clipB: string;
  distance: number;
  turn: number;
  fps: number;
}

export interface Duel {
  /** World from model of the second: 12 numbers, columns. */
  place: number[];
  ticks: Tick[];
}

/** Who is moved by the tracker, and who stands opposite. */
export interface LiveQuery {
  player: number;
  opponent: number;
  /** By name; empty is the rest pose. */
  clip: string;
  distance: number;
  turn: number;
}

/** The first line of a live stream. */
export interface LiveStart {
  /** World from model of the opponent: 12 numbers, columns. */
  place: number[];
}

/** Every further line of a live stream: one moment. */
export interface LiveMoment {
  /** Since the server began to listen, in seconds. The opponent's clip began at 0. */
  time: number;
  /** Parent from joint of the player: 12 numbers a joint, columns. */
  joints: Packed;
  /** The joints that touch. */
  touches: { a: string; b: string }[];
  /** Counts since the stream began. */
  packets: { all: number; late: number; damaged: number; lost: number };
}

/** Whether a file of a character changed, and how many characters there are by now. */
export interface Version {
  version: string;
  characters: number;
}

/** A bake in a report; `preset` is null for the options of the command. */
export interface Kept {
  id: number;
  preset: string | null;
  bake: Bake;
  escapes: Escape[];
}

/** What `bonebox report` puts into the page. */
export interface Embedded {
  listing: Listing;
  models: Model[];
  bakes: Kept[];
}

/** The file of a character. */
export interface AssetFile {
  bytes: ArrayBuffer;
  /** The address of a file beside it, by the name that the character's file has for it. */
  addressOf(uri: string): string;
}
