// Edited hitboxes, as the page sends them to the server. crates/bake-settings writes them into bonebox.toml.

import type { Baked, Escape, Hitbox, Quat, Vec3 } from './types';

export type Shape = NonNullable<Hitbox['shape']>;

/** A hitbox of an edited joint, in joint space and its unit. The half extents of round shapes are as in `Hitbox`. */
export interface EditedHitbox {
  /** A hull becomes the box around it as soon as its joint is edited. */
  shape: Exclude<Shape, 'hull'>;
  role: string;
  tags: string[];
  center: Vec3;
  half_extents: Vec3;
  orientation: Quat;
}

/** All hitboxes of a joint, or `fitted` for those that the bake fits. */
export type JointEdit = EditedHitbox[] | 'fitted';

/** Edits of joints by name. */
export type JointEdits = Readonly<Record<string, JointEdit>>;

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

/** Edited hitboxes of a character to measure. */
export interface MeasureQuery {
  id: number;
  edits: JointEdits;
  /** The joints whose skin is measured; `null` for all skin. */
  joints: string[] | null;
}

/** The skin of one joint with edited hitboxes, over the rest pose and all clips. */
export interface JointFigures {
  joint: string;
  /** The share of its skin inside any hitbox, and inside its own hitboxes; 0 to 1. */
  inside: number;
  own: number;
  /** Where its skin is farthest outside; `null` if it leaves no hitbox. */
  escape: Escape | null;
}

/** The figures of a character with edited hitboxes. */
export interface Measured {
  /** The figures of all skin; `null` if only some joints were measured. */
  coverage: NonNullable<Baked['coverage']> | null;
  joints: JointFigures[];
}
