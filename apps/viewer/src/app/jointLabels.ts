// Names beside joints: the name of the selected joint, or all names if the user switches them on.

import type { Escape } from '../data/types';
import type { Label } from '../scene/labels';
import type { Loaded } from './library';
import type { Selection } from './selection';

/** Returns the labels; joints with the largest hitboxes come first. An opponent has no selection. */
export function jointLabels({ actor, bake }: Loaded, names: boolean, selection: Selection | null, visited: Escape | null): Label[] {
  const { joints, boxes } = bake.bake;
  const largest = [...boxes].sort((a, b) => b.volume - a.volume).map((box) => box.joint_index);
  const all = names ? largest.filter((joint) => !selection?.hidden.has(joint)) : [];
  const selected = selection?.joint ?? null;
  return [...new Set([...(selected === null ? [] : [selected]), ...all])].map((joint) => {
    const text = joints[joint]?.name ?? '';
    const at = visited?.joint === text && visited.point ? { at: visited.point } : {};
    return { actor, joint, text, ...at };
  });
}
