// Edits hitboxes: with handles in the picture, by numbers, and by commands for the selected ones.

import * as THREE from 'three';
import type { Quat, Vec3 } from '../data/baked';
import type { EditedHitbox, JointEdit } from '../data/types';
import type { GizmoChange } from '../scene/gizmo';
import type { GizmoMode, NumberField } from '../state/editor';
import {
  added, boxAt, changed, duplicated, isSameBox, mergedInto, mirroredAll, removed, renamed, reset, restOf, shownRefs, splitAll,
  withJoints, withShape, withTags, type BoxRef, type Edited, type EditStep,
} from '../state/edits';
import { metersAlong, metersOf, rounded, scaled } from '../state/hitboxMath';
import type { Both } from '../state/history';
import type { Page } from '../state/page';
import { settingsText } from '../state/settingsText';
import { turnFromDegrees } from '../state/turn';
import type { HistoryTool } from './historyTool';
import { keepUnsaved } from './kept';
import type { Loader } from './loader';
import type { MeasureTool } from './measureTool';
import type { Output } from './output';
import type { Picture } from './picture';

/** The selected hitboxes when the handles were taken. */
interface Held {
  edited: Edited;
  refs: BoxRef[];
  gesture: string;
}

export class EditTool {
  private held: Held | null = null;
  private gestures = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly loader: Loader,
    private readonly history: HistoryTool,
    private readonly measuring: MeasureTool,
  ) {
    const { gizmo } = output.stage;
    gizmo.onBegin = () => this.begin();
    gizmo.onChange = (change) => this.drag(change);
    gizmo.onEnd = () => this.end();
    history.onEdits = (joints) => this.show(joints);
  }

  /** Call this when the mode begins. */
  enter(): void {
    this.measuring.measure(this.joints);
  }

  /** Selects a hitbox; with `adds`, beside those that are selected, or not any more. `null` clears the selection. */
  select(ref: BoxRef | null, adds = false): void {
    const { page, output } = this;
    const { editor } = page;
    const isSelected = ref !== null && editor.selected.some((each) => isSameBox(each, ref));
    const others = editor.selected.filter((each) => !ref || !isSameBox(each, ref));
    if (ref === null) editor.selected = [];
    else if (adds) editor.selected = isSelected ? others : [...others, ref];
    else editor.selected = isSelected && others.length === 0 ? [] : [ref];
    this.selectJoint();
    this.measuring.measure(this.joints.filter((joint) => !editor.figures.has(joint)));
    this.picture.style();
    output.refresh();
    output.screen.reveal();
  }

  /** Selects the hitbox under the pointer. With Shift, it joins those that are selected. */
  click(event: MouseEvent): void {
    const { stage } = this.output;
    if (stage.gizmo.isPointed) return;
    const hit = stage.pick(event);
    const ref = hit && this.page.edited ? (shownRefs(this.page.edited)[hit.box] ?? null) : null;
    if (ref !== null || !event.shiftKey) this.select(ref, event.shiftKey);
  }

  /** Chooses what the handles do. */
  use(gizmo: GizmoMode): void {
    this.page.editor.gizmo = gizmo;
    this.picture.style();
    this.output.refresh();
  }

  /** Adds a hitbox to a joint. */
  add(joint: string): void {
    this.make(`add to ${joint}`, (edited) => added(edited, joint, this.page.height));
  }

  duplicate(): void {
    this.make(`duplicate ${this.what}`, (edited, refs) => duplicated(edited, refs));
  }

  remove(): void {
    this.make(`delete ${this.what}`, (edited, refs) => removed(edited, refs));
  }

  mirror(): void {
    this.make(`mirror ${this.what}`, (edited, refs) => mirroredAll(edited, refs));
  }

  merge(): void {
    this.make(`merge ${this.what}`, (edited, refs) => mergedInto(edited, refs));
  }

  split(): void {
    this.make(`split ${this.what}`, (edited, refs) => splitAll(edited, refs));
  }

  reshape(shape: EditedHitbox['shape']): void {
    this.make(`make ${this.what} a ${shape}`, (edited, refs) => withShape(edited, refs, shape));
  }

  tag(tags: string[]): void {
    this.make(`tag ${this.what}`, (edited, refs) => withTags(edited, refs, tags));
  }

  /** Sets a number of the hitbox that the fields show: a length in meters, or an angle in degrees. */
  setNumber(field: NumberField, axis: number, value: number): void {
    const ref = this.page.editor.selected.at(-1);
    if (!ref || !Number.isFinite(value)) return;
    const name = { center: 'move', size: 'resize', turn: 'turn' }[field];
    this.make(`${name} ${ref.joint}`, (edited, refs) => {
      const rest = restOf(edited.model, ref.joint);
      const step = changed(edited, [ref], (box) => withNumber(box, rest, field, axis, value));
      return { ...step, selected: refs };
    });
  }

  /** Gives joints their fitted hitboxes again. */
  reset(joints: string[]): void {
    this.make(`reset ${joints.join(', ')}`, (edited) => reset(edited, joints));
  }

  /** Gives the edit of a joint that is gone to another joint. */
  rename(from: string, to: string): void {
    this.make(`move the edit of ${from} to ${to}`, ({ edits }) => renamed(edits, from, to));
  }

  /** Drops the edits of joints. */
  discard(joints: string[]): void {
    const none = Object.fromEntries(joints.map((joint) => [joint, null]));
    this.make(joints.length === 1 ? `discard ${joints[0]}` : 'discard edits', () => ({ joints: none, selected: [] }));
  }

  /** Writes all edits into the settings and bakes again. A report offers the lines as a file. */
  async save(): Promise<void> {
    const { page, output } = this;
    const { editor, edited } = page;
    const edits = page.knownEdits;
    if (!edited || Object.keys(edits).length === 0) return;
    editor.note = editor.problem = '';
    if (!page.hasServer) return this.download(edited);
    const work = async () => {
      const { notes, ...write } = await page.source.saveHitboxes({ id: page.index, edits });
      const joints = Object.fromEntries(Object.entries(edits).map(([joint, edit]) => [joint, [edit, null] as [typeof edit, null]]));
      editor.drafts[page.characterKey] = withJoints(page.edits, Object.fromEntries(Object.keys(edits).map((joint) => [joint, null])));
      this.history.record({ label: `save ${Object.keys(edits).join(', ')}`, joints, write });
      await this.loader.reload();
      editor.note = [`saved in ${write.file}`, ...notes].join('; ');
    };
    await output.ask(work, (error) => (editor.problem = error.message));
    this.show(Object.keys(edits));
    output.refresh();
  }

  /** Offers a bonebox.toml as a download: the whole text if the page has a baker, else the lines of the edits. */
  private async download(edited: Edited): Promise<void> {
    const { page, output } = this;
    const { editor } = page;
    const work = async () => {
      const edits = page.knownEdits;
      const { text, notes, path } = page.canBake ? await page.source.editedText({ id: page.index, edits }) : { text: settingsText(edited, edits), notes: [], path: null };
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/toml' }));
      link.download = 'bonebox.toml';
      link.click();
      URL.revokeObjectURL(link.href);
      const whole = path === null ? 'put it beside the asset' : `put it in place of ${path}, seen from the folder of the asset`;
      const use = page.canBake ? whole : 'add its lines to the bonebox.toml beside the asset';
      editor.note = [`the browser has saved bonebox.toml; ${use}`, ...notes].join('; ');
    };
    await output.ask(work, (error) => (editor.problem = error.message));
    output.refresh();
  }

  /** The joints of the selected hitboxes. */
  private get joints(): string[] {
    return [...new Set(this.page.editor.selected.map(({ joint }) => joint))];
  }

  private get what(): string {
    return this.joints.join(', ');
  }

  /** Makes an edit and records it. An edit that changes nothing is not recorded. */
  private make(label: string, edit: (edited: Edited, refs: BoxRef[]) => EditStep, gesture?: string, from = this.page.edited): void {
    const { page } = this;
    if (!from) return;
    const { editor } = page;
    const step = edit(from, this.held?.refs ?? editor.selected);
    const before = page.edits;
    const joints = Object.keys(step.joints);
    if (joints.every((joint) => JSON.stringify(step.joints[joint]) === JSON.stringify(before[joint] ?? null))) return;
    editor.drafts[page.characterKey] = withJoints(before, step.joints);
    editor.selected = step.selected;
    editor.note = editor.problem = '';
    const both = joints.map((joint): [string, Both<JointEdit | null>] => [joint, [before[joint] ?? null, step.joints[joint] ?? null]]);
    this.history.record({ label, joints: Object.fromEntries(both), ...(gesture === undefined ? {} : { gesture }) });
    this.show(joints);
  }

  /** Shows joints that have changed. */
  private show(joints: string[]): void {
    const { page } = this;
    const { editor, edited } = page;
    if (edited) editor.selected = editor.selected.filter((ref) => boxAt(edited, ref));
    this.selectJoint();
    this.measuring.measure(joints);
    this.picture.style();
    this.output.refresh();
  }

  /** The joint of the last selected hitbox is the selected joint everywhere else. */
  private selectJoint(): void {
    const last = this.page.editor.selected.at(-1);
    this.page.selection.joint = last ? this.page.jointNamed(last.joint) : null;
    this.page.visited = null;
  }

  private begin(): void {
    const { page } = this;
    if (!page.edited) return;
    page.playback.playing = false;
    this.held = { edited: page.edited, refs: page.editor.selected, gesture: `drag ${performance.timeOrigin + performance.now()} ${++this.gestures}` };
  }

  private drag(change: GizmoChange): void {
    const { held, page } = this;
    const actor = page.first?.actor;
    if (!held || !actor) return;
    const step = (edited: Edited) => changed(edited, held.refs, (box, { joint }) => moveBox(box, actor.bones[page.jointNamed(joint)!]!.matrixWorld, change));
    this.make(`${change.kind} ${this.what}`, () => step(held.edited), held.gesture);
  }

  private end(): void {
    this.held = null;
    keepUnsaved(this.page);
  }
}

/** Returns a hitbox after a change in world space. */
function moveBox(box: EditedHitbox, worldFromJoint: THREE.Matrix4, change: GizmoChange): EditedHitbox {
  if (change.kind === 'scale') return { ...box, half_extents: scaled(box, change.by) };
  const inverse = worldFromJoint.clone().invert();
  const center = new THREE.Vector3(...box.center).applyMatrix4(worldFromJoint);
  if (change.kind === 'move') return { ...box, center: center.add(change.by).applyMatrix4(inverse).toArray() };
  center.sub(change.about).applyQuaternion(change.by).add(change.about).applyMatrix4(inverse);
  const turn = new THREE.Quaternion();
  worldFromJoint.decompose(new THREE.Vector3(), turn, new THREE.Vector3());
  const orientation = turn.clone().invert().multiply(change.by).multiply(turn).multiply(new THREE.Quaternion(...box.orientation)).normalize();
  return { ...box, center: center.toArray(), orientation: orientation.toArray() as Quat };
}

/** Returns a hitbox with another number; `rest` is the transform from joint space to model space in the rest pose. */
function withNumber(box: EditedHitbox, rest: THREE.Matrix4, field: NumberField, axis: number, value: number): EditedHitbox {
  const replaced = (all: Vec3, by: number) => all.map((each, index) => (index === axis ? by : each)) as Vec3;
  if (field === 'turn') return { ...box, orientation: turnFromDegrees(box.orientation, axis, value) };
  const meters = (field === 'center' ? metersOf(rest) : metersAlong(box, rest))[axis]!;
  if (!(meters > 0)) return box;
  if (field === 'center') return { ...box, center: replaced(box.center, value / meters) };
  const half = Math.max(value, 0) / 2 / meters;
  if (box.shape === 'box') return { ...box, half_extents: replaced(box.half_extents, half) };
  const [radius, long] = axis === 1 && box.shape === 'capsule' ? [Math.min(box.half_extents[0], half), half] : [half, box.half_extents[1]];
  return { ...box, half_extents: box.shape === 'sphere' ? [half, half, half] : rounded('capsule', [radius, Math.max(long, radius), radius]) };
}
