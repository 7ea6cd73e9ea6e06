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
      `${bare} joints have more than ${percent(BARE)} of their skin outside all hitboxes; a margin for one joint helps little. ` +
      'The hitboxes of the preset cover hold the skin in every clip.';
    const change = { id, joint: null, key: 'preset', value: 'cover' };
    return { why, change, lines: `[characters.${key(name)}]\npreset = "cover"` };
  }
  const joint = selected === null ? undefined : joints[selected]?.name;
  const escape = escapes.find((escape) => escape.joint === joint);
  if (joint === undefined || !escape || !withBoxes.has(joint)) return null;
  // This margin is enough for this place if the nearest hitbox belongs to this joint.
  const present = Number(bake.margins[joint] ?? options['margin'] ?? 0);
  const margin = Math.ceil(1000 * (present + escape.distance)) / 1000;
  if (escape.distance <= 0 || !Number.isFinite(margin)) return null;
  const why = `A margin of ${percent(margin)} of the height moves each face of the hitbox outward, to the skin that is farthest outside.`;
  const change = { id, joint, key: 'margin', value: String(margin) };
  return { why, change, lines: `[characters.${key(name)}.joints.${key(joint)}]\nmargin = ${margin}` };
}

/** Writes a key in TOML, in quotes if TOML requires them. */
function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
