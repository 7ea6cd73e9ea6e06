// Edits of hitboxes that are not saved yet. Every function returns new edits, so that an undo can go back to the old ones.

import { Matrix4, Vector3 } from 'three';
import type { Hitbox, Vec3 } from '../data/baked';
import type { Bake, EditedHitbox, JointEdit, JointEdits, Model } from '../data/types';
import { editable, merged, metersOf, mirrored, reshaped, split } from './hitboxMath';
import { restMatrices } from './restPose';
import { mirroredName } from './sides';

/** A hitbox: the joint, and its place among the hitboxes of the joint. */
export interface BoxRef {
  joint: string;
  index: number;
}

/** The hitboxes that are edited. */
export interface Edited {
  bake: Bake;
  model: Model;
  edits: JointEdits;
}

/** What an edit changes: the new edits of joints (`null` for none), and the hitboxes that are selected then. */
export interface EditStep {
  joints: Record<string, JointEdit | null>;
  selected: BoxRef[];
}

/** A new hitbox is so large, as a share of the character's height. */
const NEW = 0.04;

export function isSameBox(a: BoxRef, b: BoxRef): boolean {
  return a.joint === b.joint && a.index === b.index;
}

/** Returns the hitboxes of a joint as they are edited; those of the bake if the joint is not edited, or is to be fitted again. */
export function boxesOf({ bake, edits }: Edited, joint: string): EditedHitbox[] {
  const edit = edits[joint];
  if (edit !== undefined && edit !== 'fitted') return edit;
  return bake.bake.boxes.filter((box) => box.joint === joint).map(editable);
}

/** Returns the hitbox of a reference; `undefined` if there is none. */
export function boxAt(edited: Edited, { joint, index }: BoxRef): EditedHitbox | undefined {
  return boxesOf(edited, joint)[index];
}

/** Returns the references of all hitboxes, in the order of `shownBoxes`. */
export function shownRefs({ bake, edits }: Edited): BoxRef[] {
  const counts = new Map<string, number>();
  return shownBoxes({ bake, edits }).map(({ joint }) => {
    const index = counts.get(joint) ?? 0;
    counts.set(joint, index + 1);
    return { joint, index };
  });
}

/** Returns all hitboxes as the picture and the tables show them. Those of edited joints have no figures of a fit. */
export function shownBoxes({ bake, edits }: Pick<Edited, 'bake' | 'edits'>): Hitbox[] {
  const { boxes, joints } = bake.bake;
  if (Object.keys(edits).length === 0) return boxes;
  return joints.flatMap(({ name }, joint): Hitbox[] => {
    const edit = edits[name];
    if (edit === undefined || edit === 'fitted') return boxes.filter((box) => box.joint_index === joint);
    return edit.map((box) => ({ ...box, joint: name, joint_index: joint, vertices: 0, hull_vertices: 0, hull_volume: 0, volume: 0 }));
  });
}

/** Returns the names of edited joints that the character does not have. */
export function lostJoints({ bake, edits }: Pick<Edited, 'bake' | 'edits'>): string[] {
  const names = new Set(bake.bake.joints.map(({ name }) => name));
  return Object.keys(edits).filter((joint) => !names.has(joint));
}

/** Returns the edits after a change of some joints. */
export function withJoints(edits: JointEdits, joints: Record<string, JointEdit | null>): JointEdits {
  const all = { ...edits };
  for (const [joint, edit] of Object.entries(joints)) {
    if (edit === null) delete all[joint];
    else all[joint] = edit;
  }
  return all;
}

/** Returns the transform from a joint's space to model space in the rest pose. */
export function restOf(model: Model, joint: string): Matrix4 {
  const index = model.joints.findIndex(({ name }) => name === joint);
  return restMatrices(model)[index] ?? new Matrix4();
}

/** Changes single hitboxes; the selection stays. */
export function changed(edited: Edited, refs: BoxRef[], change: (box: EditedHitbox, ref: BoxRef) => EditedHitbox): EditStep {
  const joints: EditStep['joints'] = {};
  for (const joint of new Set(refs.map((ref) => ref.joint))) {
    joints[joint] = boxesOf(edited, joint).map((box, index) => (refs.some((ref) => isSameBox(ref, { joint, index })) ? change(box, { joint, index }) : box));
  }
  return { joints, selected: refs };
}

/** Adds a cube to a joint, around the first of its hitboxes or at the joint itself. `height` is the character's, in meters. */
export function added(edited: Edited, joint: string, height: number): EditStep {
  const there = boxesOf(edited, joint);
  const meters = metersOf(restOf(edited.model, joint));
  const half = meters.map((each) => (each > 0 ? (NEW / 2) * (height / each) : 0)) as Vec3;
  const box: EditedHitbox = { shape: 'box', role: 'hurt', tags: there[0]?.tags ?? [], center: there[0]?.center ?? [0, 0, 0], half_extents: half, orientation: [0, 0, 0, 1] };
  return { joints: { [joint]: [...there, box] }, selected: [{ joint, index: there.length }] };
}

/** Copies hitboxes, and puts each copy a quarter of its width beside the hitbox. */
export function duplicated(edited: Edited, refs: BoxRef[]): EditStep {
  const step: EditStep = { joints: {}, selected: [] };
  for (const ref of refs) {
    const box = boxAt(edited, ref);
    if (!box) continue;
    const all = present(edited, step, ref.joint);
    step.selected.push({ joint: ref.joint, index: all.length });
    const aside = new Vector3(...box.center);
    aside.x += 0.5 * box.half_extents[0];
    step.joints[ref.joint] = [...all, { ...box, center: aside.toArray() }];
  }
  return step;
}

/** Removes hitboxes. */
export function removed(edited: Edited, refs: BoxRef[]): EditStep {
  const joints: EditStep['joints'] = {};
  for (const joint of new Set(refs.map((ref) => ref.joint))) {
    joints[joint] = boxesOf(edited, joint).filter((_, index) => !refs.some((ref) => isSameBox(ref, { joint, index })));
  }
  return { joints, selected: [] };
}

/**
 * Mirrors hitboxes across the plane x = 0 of the rest pose. The joint on the other side gets the mirrored hitboxes of this joint in
 * place of its own. A joint in the middle gets them beside its own.
 */
export function mirroredAll(edited: Edited, refs: BoxRef[]): EditStep {
  const step: EditStep = { joints: {}, selected: [] };
  for (const joint of new Set(refs.map((ref) => ref.joint))) {
    const other = otherSide(edited.model, joint);
    const [from, to] = [restOf(edited.model, joint), restOf(edited.model, other ?? joint)];
    const boxes = boxesOf(edited, joint).filter((_, index) => other !== null || refs.some((ref) => isSameBox(ref, { joint, index })));
    const made = boxes.map((box) => ({ ...mirrored({ box, modelFromJoint: from }, to), tags: box.tags.map((tag) => mirroredName(tag) ?? tag) }));
    const kept = other === null ? boxesOf(edited, joint) : [];
    step.joints[other ?? joint] = [...kept, ...made];
    step.selected.push(...made.map((_, index) => ({ joint: other ?? joint, index: kept.length + index })));
  }
  return step;
}

/** Returns the joint on the other side of the body; `null` for a joint in the middle. */
export function otherSide(model: Model, joint: string): string | null {
  const other = mirroredName(joint);
  return model.joints.some(({ name }) => name === other) ? other : null;
}

/** The hitboxes that a merge joins: those of `refs`, or all of the joint if only one is selected. */
export function toMerge(edited: Edited, refs: BoxRef[]): BoxRef[] {
  const [only] = refs;
  if (refs.length !== 1 || !only) return refs;
  return boxesOf(edited, only.joint).map((_, index) => ({ joint: only.joint, index }));
}

/** Puts one box around hitboxes, at the joint that holds more of the skin. */
export function mergedInto(edited: Edited, refs: BoxRef[]): EditStep {
  const { model } = edited;
  const all = toMerge(edited, refs);
  const placed = all.flatMap((ref) => {
    const box = boxAt(edited, ref);
    return box ? [{ box, modelFromJoint: restOf(model, ref.joint), ref }] : [];
  });
  if (placed.length < 2) return { joints: {}, selected: refs };
  const joints = [...new Set(placed.map(({ ref }) => ref.joint))];
  const holds = (joint: string) => edited.bake.bake.boxes.reduce((sum, box) => sum + (box.joint === joint ? box.vertices : 0), 0);
  const joint = joints.reduce((best, each) => (holds(each) > holds(best) ? each : best));
  const step = removed(edited, all);
  const kept = present(edited, step, joint);
  step.joints[joint] = [...kept, merged(placed, restOf(model, joint))];
  step.selected = [{ joint, index: kept.length }];
  return step;
}

/** Cuts hitboxes in two along their longest axes. */
export function splitAll(edited: Edited, refs: BoxRef[]): EditStep {
  const step: EditStep = { joints: {}, selected: [] };
  for (const joint of new Set(refs.map((ref) => ref.joint))) {
    const boxes: EditedHitbox[] = [];
    boxesOf(edited, joint).forEach((box, index) => {
      const isCut = refs.some((ref) => isSameBox(ref, { joint, index }));
      for (const part of isCut ? split(box) : [box]) {
        if (isCut) step.selected.push({ joint, index: boxes.length });
        boxes.push(part);
      }
    });
    step.joints[joint] = boxes;
  }
  return step;
}

export function withShape(edited: Edited, refs: BoxRef[], shape: EditedHitbox['shape']): EditStep {
  return changed(edited, refs, (box) => reshaped(box, shape));
}

export function withTags(edited: Edited, refs: BoxRef[], tags: string[]): EditStep {
  return changed(edited, refs, (box) => ({ ...box, tags }));
}

/** Moves all hitboxes of an edited joint that is gone to another joint name. */
export function renamed(edits: JointEdits, from: string, to: string): EditStep {
  return { joints: { [from]: null, [to]: edits[from] ?? null }, selected: [] };
}

/** Gives joints their fitted hitboxes again. Joints whose hitboxes in the file are fitted lose only what is not saved. */
export function reset({ bake, edits }: Edited, names: Iterable<string>): EditStep {
  const joints: EditStep['joints'] = {};
  for (const joint of names) {
    if (!isFitted(bake, joint)) joints[joint] = 'fitted';
    else if (edits[joint] !== undefined) joints[joint] = null;
  }
  return { joints, selected: [] };
}

/** Returns whether the file leaves the hitboxes of a joint to the bake. A manual hitbox has no vertices. */
export function isFitted({ bake }: Bake, joint: string): boolean {
  const own = bake.boxes.filter((box) => box.joint === joint);
  return own.length > 0 && own.every((box) => box.hull_vertices > 0);
}

/** Hitboxes of several joints at once: of a step that is being made. */
function present(edited: Edited, step: EditStep, joint: string): EditedHitbox[] {
  const made = step.joints[joint];
  return made !== undefined && made !== null && made !== 'fitted' ? made : boxesOf(edited, joint);
}

