// Parts of the body, such as fist and torso, by which the page groups contacts of joints.

import type { Bake } from '../data/types';

/** The part of the body that a joint belongs to. */
export type PartOf = (joint: string) => string;

export function partsOf(bake: Bake | null): PartOf {
  const parts = new Map(bake?.bake.joints.map(({ name }, joint) => [name, bake.parts[joint] ?? name]));
  return (joint) => parts.get(joint) ?? joint;
}
