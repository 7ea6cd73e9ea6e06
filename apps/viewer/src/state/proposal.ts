// Proposes lines of bonebox.toml: for places where the skin leaves the hitboxes, and for fewer hitboxes.

import type { Change } from '../data/source';
import { percent } from '../data/units';
import type { Loaded } from './library';
import { key } from './settingsText';

export interface Proposal {
  /** Tells the proposals apart. */
  key: string;
  why: string;
  change: Change;
  /** The proposed lines as TOML. */
  lines: string;
}

/** A joint is bare when more than this share of its skin is outside all hitboxes, over all clips. */
const BARE = 0.05;

/** A character with so many hitboxes gets a proposal for fewer. */
const MANY = 80;

/** The number of hitboxes to propose for a character that is no human figure. */
const FEW = 20;

export function proposals(id: number, loaded: Loaded, selected: number | null): Proposal[] {
  return [fewer(id, loaded), cover(id, loaded, selected)].flatMap((proposal) => proposal ?? []);
}

/** Returns a proposal for fewer hitboxes, if there are many and the settings do not choose parts. */
function fewer(id: number, { bake }: Loaded): Proposal | null {
  const { name, options, boxes, humanoid } = bake.bake;
  if (boxes.length < MANY || options['parts'] !== undefined) return null;
  const [value, made] = humanoid ? ['humanoid', 'one hitbox for each of 18 parts of the body'] : [String(FEW), `at most ${FEW}`];
  const line = `parts = ${humanoid ? JSON.stringify(value) : value}`;
  const why = `${boxes.length} hitboxes are many for a game. This line makes ${made}.`;
  return { key: 'fewer', why, change: { id, joint: null, key: 'parts', value }, lines: `[characters.${key(name)}]\n${line}` };
}

/** Returns a proposal for the selected joint, or for the whole character if most joints are bare. */
function cover(id: number, { bake, escapes }: Loaded, selected: number | null): Proposal | null {
  if (!escapes) return null;
  const { name, options, joints, boxes } = bake.bake;
  const withBoxes = new Set(boxes.map((box) => box.joint));
  const bare = escapes.filter(({ joint, outside }) => withBoxes.has(joint) && outside > BARE).length;
  if (2 * bare > withBoxes.size && options['preset'] !== 'cover') {
    const why =
      `${bare} joints have more than ${percent(BARE)} of their skin outside all hitboxes; settings of one joint help little. ` +
      'The hitboxes of the preset cover hold the skin in every clip.';
    const change = { id, joint: null, key: 'preset', value: 'cover' };
    return { key: 'cover', why, change, lines: `[characters.${key(name)}]\npreset = "cover"` };
  }
  const joint = selected === null ? undefined : joints[selected]?.name;
  const escape = escapes.find((escape) => escape.joint === joint);
  if (joint === undefined || !escape || escape.distance <= 0) return null;
  // A preset changes fitted hitboxes only, and a joint that has this preset already is covered by it.
  const isFitted = boxes.some((box) => box.joint === joint && box.hull_vertices > 0);
  if (!isFitted || (bake.joint_presets[joint] ?? options['preset']) === 'cover') return null;
  const why = 'With the preset cover, the hitboxes of this joint hold all of its skin in every clip.';
  const change = { id, joint, key: 'preset', value: 'cover' };
  return { key: 'cover', why, change, lines: `[characters.${key(name)}.joints.${key(joint)}]\npreset = "cover"` };
}
