// Proposes lines of bonebox.toml for places where the skin leaves the hitboxes.

import type { Change } from '../data/source';
import { percent } from '../data/units';
import type { Loaded } from './library';

export interface Proposal {
  why: string;
  change: Change;
  /** The proposed lines as TOML. */
  lines: string;
}

/** A joint is bare when more than this share of its skin is outside all hitboxes, over all clips. */
const BARE = 0.05;

/** Returns a proposal for the selected joint, or for the whole character if most joints are bare. */
export function proposal(id: number, { bake, escapes }: Loaded, selected: number | null): Proposal | null {
  if (!escapes) return null;
  const { name, options, joints, boxes } = bake.bake;
  const withBoxes = new Set(boxes.map((box) => box.joint));
  const bare = escapes.filter(({ joint, outside }) => withBoxes.has(joint) && outside > BARE).length;
  if (2 * bare > withBoxes.size && options['preset'] !== 'cover') {
    const why =
      `${bare} joints have more than ${percent(BARE)} of their skin outside all hitboxes; settings of one joint help little. ` +
      'The hitboxes of the preset cover hold the skin in every clip.';
    const change = { id, joint: null, key: 'preset', value: 'cover' };
    return { why, change, lines: `[characters.${key(name)}]\npreset = "cover"` };
  }
  const joint = selected === null ? undefined : joints[selected]?.name;
  const escape = escapes.find((escape) => escape.joint === joint);
  if (joint === undefined || !escape || escape.distance <= 0) return null;
  // A preset changes fitted hitboxes only, and a joint that has this preset already is covered by it.
  const isFitted = boxes.some((box) => box.joint === joint && box.hull_vertices > 0);
  if (!isFitted || (bake.joint_presets[joint] ?? options['preset']) === 'cover') return null;
  const why = 'With the preset cover, the hitboxes of this joint hold all of its skin in every clip.';
  const change = { id, joint, key: 'preset', value: 'cover' };
  return { why, change, lines: `[characters.${key(name)}.joints.${key(joint)}]\npreset = "cover"` };
}

/** Writes a key in TOML, in quotes if TOML requires them. */
function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
