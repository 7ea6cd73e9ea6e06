// The facts about bodies of the ragdoll.

import type { Constraint, RagdollBody } from '../data/baked';
import type { Bake } from '../data/types';
import { degrees, mass } from '../data/units';
import { factList, h } from '../dom';
import { RANGE_COLORS } from '../scene/ranges';
import { bodyOfJoint } from '../scene/ragdoll';

const SOURCES: Record<Constraint['limits_from'], string> = {
  clips: 'from the clips',
  'human-range': 'from the ranges of people, because no clip moves the joint',
  settings: 'from the settings',
  unknown: 'unknown: no clip moves the joint',
};

/** The bodies that nothing holds, except the first one, which is the root of the ragdoll. */
export function looseBodies(bodies: RagdollBody[]): RagdollBody[] {
  return bodies.slice(1).filter(({ constraint }) => !constraint);
}

/** Returns the facts about the body that has the hitboxes of a joint. */
export function bodyFacts(shown: Bake, joint: number): [string, string][] {
  const { bodies } = shown.bake;
  const index = bodyOfJoint(shown, joint);
  if (!bodies) return [];
  if (index === null) return [['body', 'none: the ragdoll has none of its hitboxes']];
  const body = bodies[index]!;
  const { constraint } = body;
  const facts: [string, string][] = [['body', `${body.joint}, ${mass(body.mass)}`]];
  if (!constraint) return [...facts, ['held by', index === 0 ? 'nothing: it is the root of the ragdoll' : 'nothing: it is loose']];
  const [x, y, z] = constraint.limits.map(degrees);
  const limits = constraint.kind === 'hinge' ? `±${x}` : `twist ±${x}, swing ±${y} about y and ±${z} about z`;
  return [...facts, ['held by', `${bodies[constraint.parent]!.joint}, with a ${constraint.kind} joint`], ['limits', `${limits}; ${SOURCES[constraint.limits_from]}`]];
}

/** Explains the colors of the ranges, and lists loose bodies. */
export function ragdollLegend({ bake }: Bake): Node[] {
  const { bodies = [] } = bake;
  const color = (name: keyof typeof RANGE_COLORS, text: string) => h('span', { style: `--range: ${RANGE_COLORS[name]}` }, text);
  const loose = looseBodies(bodies).map(({ joint }) => joint);
  const total = bodies.reduce((sum, body) => sum + body.mass, 0);
  const colors = [color('swing', 'swing'), color('twist', 'twist'), color('hinge', 'hinge'), color('inside', 'now'), color('outside', 'now, past a limit')];
  const facts: [string, Node | string][] = [['ragdoll', `${bodies.length} bodies, ${mass(total)}`], ['colors', h('span', { class: 'ranges' }, ...colors)]];
  if (loose.length > 0) facts.push(['loose', loose.join(', ')]);
  return [factList(facts)];
}
