// Data that only the program has (apps/bonebox-cli/src/view): edits of its settings files, explained shots, the stream of a body
// tracker, and the data of a report. Written by hand, because the generated types of types.ts are those of crates/page-answers.

import type { Vec3 } from './baked';
import type { Kept, Listing, Model, Packed } from './types';

/** A write to a settings file: its text before and after; `null` if there was no file. */
export interface Written {
  /** The path of the file, for people. */
  file: string;
  before: string | null;
  after: string | null;
}

/** Puts the earlier text of a settings file back, if the file has the text `expected` (`null`: no file). */
export interface Restore {
  id: number;
  expected: string | null;
  text: string | null;
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

/** The data that `bonebox report` puts into the page. */
export interface Embedded {
  listing: Listing;
  models: Model[];
  bakes: Kept[];
  /** The files of the characters, for the baker; empty in a report without the baker. */
  sources: SourceFile[];
  /** The options of the command line. */
  options: [string, string][];
  /**
   * Only on the page of a character in a library: the keys of the characters that share its hitboxes, which have the numbers from 1 on. The data of each is in a
   * script beside the page.
   */
  companions?: string[];
}

/** The file of a character, and what its bake needs. */
export interface SourceFile {
  name: string;
  content: Packed;
  /** The text of the `bonebox.toml` that applies. */
  settings: string;
  /** The path of that file from the folder of the asset; `null` if there is none. */
  settings_path: string | null;
  /** The other files that a .gltf names, by the URI in it. */
  buffers: Record<string, Packed>;
}
