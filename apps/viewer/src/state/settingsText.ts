// The lines of bonebox.toml for edited hitboxes, for a page without a server. With a server, bake_settings::with_hitboxes writes them.

import type { Vec3 } from '../data/baked';
import type { EditedHitbox, JointEdits } from '../data/types';
import { restOf, type Edited } from './edits';
import { metersOf } from './hitboxMath';

/** Joints whose scale differs from 1 by no more than this are in meters. */
const SAME = 1e-4;

/** Lengths are rounded to this many digits below the first digit of the longest half extent. */
const DIGITS = 4;

/** Returns sections with the hitboxes of each joint. */
export function settingsText({ bake, model }: Edited, edits: JointEdits): string {
  const name = bake.bake.name;
  const sections = Object.entries(edits).flatMap(([joint, edit]) => {
    const section = `characters.${key(name)}.joints.${key(joint)}`;
    if (edit === 'fitted') return [`# ${joint} has its fitted hitboxes again: delete \`skip\` and \`boxes\` of [${section}].`];
    const isInMeters = metersOf(restOf(model, joint)).every((meters) => Math.abs(meters - 1) <= SAME);
    return [`[${section}]\nskip = true`, ...edit.map((box) => `[[${section}.boxes]]\n${lines(box, isInMeters).join('\n')}`)];
  });
  return `${sections.join('\n\n')}\n`;
}

function lines({ shape, role, tags, center, half_extents, orientation }: EditedHitbox, isInMeters: boolean): string[] {
  const longest = Math.max(...half_extents);
  const digits = longest > 0 ? Math.max(DIGITS - Math.floor(Math.log10(longest)), 0) : DIGITS;
  const lengths = (all: Vec3) => `[${all.map((each) => number(each, digits)).join(', ')}]`;
  return [
    `center = ${lengths(center)}`,
    `half_extents = ${lengths(half_extents)}`,
    ...(orientation.slice(0, 3).every((each) => Math.abs(each) < 1e-5) ? [] : [`orientation = [${orientation.map((each) => number(each, 5)).join(', ')}]`]),
    ...(shape === 'box' ? [] : [`shape = ${JSON.stringify(shape)}`]),
    ...(tags.length === 0 ? [] : [`tags = [${tags.map((tag) => JSON.stringify(tag)).join(', ')}]`]),
    ...(role === 'hurt' ? [] : [`role = ${JSON.stringify(role)}`]),
    ...(isInMeters ? [] : ['unit = "joint"']),
  ];
}

/** Writes a number of TOML, which needs a point. */
function number(value: number, digits: number): string {
  const text = String(Number(value.toFixed(Math.min(digits, 20))) + 0);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Writes a key in TOML, in quotes if TOML requires them. */
export function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
