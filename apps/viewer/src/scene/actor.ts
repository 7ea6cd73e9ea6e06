// A character in the scene: its joints, its surface and its hitboxes.

import * as THREE from 'three';
import { Clip } from '../data/clip';
import { hasPosedBoxes, type Hitbox } from '../data/baked';
import type { Bake, Model, Rest } from '../data/types';
import { affine } from './affine';
import { Bones } from './bones';
import type { Costume } from './costume';
import { Hitboxes, type PickedHitbox } from './hitboxes';
import type { BoxLook } from './look';
import { plain } from './lines';
import { bodyOfJoint, Ragdoll } from './ragdoll';
import { clearDirection, posedTriangles } from './sight';
import { Surface, type SurfaceStyle } from './surface';

export const BOX_STYLES = ['solid', 'wire', 'x-ray', 'off'] as const;
export type BoxStyle = (typeof BOX_STYLES)[number];

/** The display settings of an actor. */
export interface Display {
  surface: SurfaceStyle;
  boxes: BoxStyle;
  /** True if the joints are shown. */
  skeleton: boolean;
  /** True if the ranges of the ragdoll are shown, for a character that has one. */
  ragdoll: boolean;
  /** The color of the skin in place of that of clay, as `#rrggbb`. */
  tint?: string | undefined;
}

/** The color of hitboxes whose skin touches, and of the dot at an escape. */
const LIT = new THREE.Color(0xff2d3f);
/** The color of hitboxes that touch while their skin does not touch, or is not known to touch. */
const NEAR = new THREE.Color(0xf5c400);
/** The number of vertices of a mesh that stand for its outline. */
const OUTLINE = 1500;

const DOT = new THREE.SphereGeometry(1, 20, 12);

export class Actor {
  /** The root to add to the scene. Its matrix is the transform from model space to world space. */
  readonly root = new THREE.Group();
  readonly clips: Clip[];
  readonly bones: THREE.Bone[];
  private readonly rest: Rest[];
  private readonly surface: Surface;
  private readonly skeleton: Bones;
  /** The ragdoll; `null` if the bake has none. */
  ragdoll: Ragdoll | null = null;
  private boxes = new Hitboxes([], []);
  /** The hitboxes in the picture: those of the bake, or edited ones. */
  private shown: Hitbox[] = [];
  private bake: Bake | null = null;
  /** True if a game has other boxes in each pose; then no skin is painted as outside. */
  private posedBoxes = false;
  private colors: THREE.Color[] = [];
  private display: Display = { surface: 'clay', boxes: 'solid', skeleton: false, ragdoll: false };
  /** The joints whose hitboxes or skins touch; `null` where no contacts are shown. */
  private lit: ReadonlySet<number> | null = null;
  /** The joints whose skins touch. */
  private skins: ReadonlySet<number> = new Set();
  /** The colors of hitboxes that do something now, by their numbers. */
  private active: ReadonlyMap<number, THREE.Color> = new Map();
  private selected: number | null = null;
  /** The hitboxes that are selected one by one, by their numbers; `null` if whole joints are selected. */
  private chosen: ReadonlySet<number> | null = null;
  private hidden: ReadonlySet<number> = new Set();
  /** A dot that marks a place, drawn over everything. */
  private readonly dot = new THREE.Mesh(DOT, plain(LIT, { depthTest: false, transparent: true }));

  constructor(
    readonly model: Model,
    bake: Bake | null,
  ) {
    this.rest = model.rest;
    this.clips = clipsOf(model);
    this.bones = model.joints.map((joint) => {
      const bone = new THREE.Bone();
      bone.name = joint.name;
      return bone;
    });
    model.joints.forEach((joint, index) => {
      const parent = joint.parent === null ? this.root : this.bones[joint.parent]!;
      parent.add(this.bones[index]!);
    });
    this.pose(null, 0);
    this.surface = new Surface(model, this.bones, this.root);
    this.skeleton = new Bones(model, this.bones);
    this.root.add(this.skeleton.root);
    this.dot.renderOrder = 3;
    this.dot.visible = false;
    this.root.add(this.dot);
    if (bake) this.setBake(bake);
  }

  /** Replaces the hitboxes; the model stays. */
  setBake(bake: Bake): void {
    this.boxes.dispose();
    this.ragdoll?.ranges.dispose();
    this.bake = bake;
    this.shown = bake.bake.boxes;
    this.boxes = new Hitboxes(this.shown, this.bones);
    this.ragdoll = Ragdoll.of(bake, this.model);
    if (this.ragdoll) this.root.add(this.ragdoll.ranges.root);
    this.show(this.display);
    this.posedBoxes = hasPosedBoxes(bake);
    this.colors = bake.colors.map((color) => new THREE.Color(color));
    this.root.add(this.boxes.root);
    this.restyle();
  }

  /** Shows other hitboxes than those of the bake; everything else is that of the bake. */
  showHitboxes(hitboxes: Hitbox[]): void {
    if (hitboxes === this.shown) return;
    this.shown = hitboxes;
    if (!this.boxes.replace(hitboxes)) {
      this.boxes.dispose();
      this.boxes = new Hitboxes(hitboxes, this.bones);
      this.root.add(this.boxes.root);
    }
    this.restyle();
  }

  /** Returns the transform from the axes of a hitbox to world space; `null` if there is no hitbox of this number. */
  worldFromBox(hitbox: number): THREE.Matrix4 | null {
    return this.boxes.worldFromBox(hitbox);
  }

  /** Poses the joints by a clip, `elapsed` seconds after its start, or by the rest pose. */
  pose(clip: number | null, elapsed: number): void {
    this.rest.forEach((rest, joint) => {
      const bone = this.bones[joint]!;
      bone.matrixWorldAutoUpdate = true;
      if ('m' in rest) {
        bone.matrixAutoUpdate = false;
        bone.matrix.copy(affine(rest.m));
        return;
      }
      bone.matrixAutoUpdate = true;
      bone.position.set(...rest.t);
      bone.quaternion.set(...rest.r);
      bone.scale.set(...rest.s);
    });
    if (clip === null) return;
    this.clips[clip]?.sampleLooped(elapsed, (joint, property, value) => {
      const bone = this.bones[joint]!;
      if (property === 'translation') bone.position.fromArray(value);
      else if (property === 'scale') bone.scale.fromArray(value);
      else bone.quaternion.fromArray(value);
    });
  }

  /**
   * Moves and turns each joint from its rest pose as far as the joint of that name of another character. Joints that the other
   * character does not have stay at rest.
   */
  poseLike(other: Actor): void {
    this.pose(null, 0);
    other.rest.forEach((otherRest, joint) => {
      const from = other.bones[joint]!;
      const own = this.jointNamed(from.name);
      const rest = own === null ? undefined : this.rest[own];
      if (own === null || !rest || 'm' in rest || 'm' in otherRest) return;
      const bone = this.bones[own]!;
      bone.position.add(from.position).sub(new THREE.Vector3(...otherRest.t));
      bone.quaternion.multiply(new THREE.Quaternion(...otherRest.r).invert().multiply(from.quaternion));
      // A joint without a size has no ratio to it.
      if (!otherRest.s.includes(0)) bone.scale.multiply(from.scale).divide(new THREE.Vector3(...otherRest.s));
    });
  }

  jointNamed(name: string | undefined): number | null {
    const joint = this.model.joints.findIndex((joint) => joint.name === name);
    return joint < 0 ? null : joint;
  }

  /** Poses the joints by these transforms from joint space to the parent's space: 12 numbers each, column by column. */
  poseJoints(joints: Float32Array): void {
    this.bones.forEach((bone, joint) => {
      bone.matrixWorldAutoUpdate = true;
      bone.matrixAutoUpdate = false;
      bone.matrix.copy(affine(joints.subarray(12 * joint, 12 * joint + 12)));
    });
  }

  /** Poses the joints by their transforms from joint space to world space. The transforms to the parents' spaces stay. */
  poseInWorld(worldFromJoint: THREE.Matrix4[]): void {
    this.bones.forEach((bone, joint) => {
      bone.matrixWorldAutoUpdate = false;
      bone.matrixWorld.copy(worldFromJoint[joint]!);
    });
  }

  /** Returns the transforms of the joints in the present pose: to the parents' spaces, and to world space. */
  matrices(): { local: THREE.Matrix4[]; world: THREE.Matrix4[] } {
    this.root.updateMatrixWorld(true);
    return { local: this.bones.map(({ matrix }) => matrix.clone()), world: this.bones.map(({ matrixWorld }) => matrixWorld.clone()) };
  }

  /** Updates everything that depends on the pose; call this before the picture is drawn. */
  prepare(): void {
    this.root.updateMatrixWorld(true);
    this.boxes.follow();
    this.skeleton.follow();
    this.ragdoll?.follow(this.bones.map(({ matrixWorld }) => matrixWorld));
    this.surface.update(() => (this.posedBoxes ? null : this.boxes.placed()));
  }

  show(display: Display): void {
    this.display = display;
    this.surface.show(display.surface, display.tint);
    this.skeleton.root.visible = display.skeleton;
    if (this.ragdoll) this.ragdoll.ranges.root.visible = display.ragdoll;
    this.restyle();
  }

  /** Shows the character's own materials. */
  dress(costume: Costume): void {
    this.surface.dress(costume);
  }

  /** Sets the joints whose hitboxes touch, which become yellow, and those whose skins touch, which become red. `null` if no contacts are shown. */
  light(joints: ReadonlySet<number> | null, skins: ReadonlySet<number> = new Set()): void {
    const lit = joints && new Set([...joints, ...skins]);
    if (same(lit, this.lit) && same(skins, this.skins)) return;
    this.lit = lit;
    this.skins = skins;
    this.restyle();
  }

  /** Colors hitboxes that attack or are in a state: colors as `#rrggbb`, by the numbers of the hitboxes. */
  activate(colors: ReadonlyMap<number, string>): void {
    const isSame = colors.size === this.active.size && [...colors].every(([box, color]) => this.active.get(box)?.getHexString() === color.slice(1));
    if (isSame) return;
    this.active = new Map([...colors].map(([box, color]) => [box, new THREE.Color(color)]));
    this.restyle();
  }

  /** For tests and the console: the numbers of the hitboxes that attack or are in a state. */
  get activeBoxes(): number[] {
    return [...this.active.keys()].sort((a, b) => a - b);
  }

  /** For tests and the console: the names of the joints whose hitboxes are yellow, and of those whose hitboxes are red. */
  get touching(): { yellow: string[]; red: string[] } {
    const names = (joints: Iterable<number>) => [...joints].map((joint) => this.model.joints[joint]!.name).sort();
    return { yellow: names([...(this.lit ?? [])].filter((joint) => !this.skins.has(joint))), red: names(this.skins) };
  }

  /** Selects the hitboxes of a joint; with `hitboxes`, only these, by their numbers. */
  select(joint: number | null, hitboxes: ReadonlySet<number> | null = null): void {
    this.selected = joint;
    this.chosen = hitboxes;
    this.restyle();
  }

  /** Sets the joints whose hitboxes are hidden. */
  hide(joints: ReadonlySet<number>): void {
    this.hidden = joints;
    this.restyle();
  }

  /** Puts the dot at a place in model space; `null` removes it. */
  mark(point: [number, number, number] | null, radius = 1): void {
    this.dot.visible = point !== null;
    if (point) this.dot.position.set(...point);
    this.dot.scale.setScalar(radius);
  }

  /** Returns the world positions of the corners of each hitbox. Bits 0, 1 and 2 of the index choose the side along x, y and z. */
  corners(): ReturnType<Hitboxes['corners']> {
    this.root.updateMatrixWorld(true);
    this.boxes.follow();
    return this.boxes.corners();
  }

  /** Returns the center of a joint's first hitbox, or the joint's position if it has none, in world space. */
  place(joint: number, into: THREE.Vector3): THREE.Vector3 {
    return this.boxes.place(joint, into) ?? into.setFromMatrixPosition(this.bones[joint]!.matrixWorld);
  }

  /** Returns the bounds of a joint's posed hitboxes, or of the joint itself if it has none, in world space. */
  boundsOf(joint: number): THREE.Box3 {
    const name = this.model.joints[joint]?.name;
    const own = this.corners().filter((box) => box.joint === name);
    const all = new THREE.Box3().setFromPoints(own.flatMap(({ corners }) => corners.map((corner) => new THREE.Vector3(...corner))));
    return all.isEmpty() ? all.expandByPoint(this.place(joint, new THREE.Vector3())) : all;
  }

  /** Returns the joint whose hitbox the ray meets first. */
  pick(ray: THREE.Ray): PickedHitbox | null {
    return this.boxes.pick(ray);
  }

  /** Returns the direction nearest to `now` from which the point of the surface is visible, in world space. */
  clearDirection(point: THREE.Vector3, now: THREE.Vector3, skip: number): THREE.Vector3 {
    this.root.updateMatrixWorld(true);
    return clearDirection(point, now, posedTriangles(this.surface.meshes), skip);
  }

  /** Returns the bounds of the posed surface and hitboxes, in world space. */
  bounds(): THREE.Box3 {
    const all = new THREE.Box3();
    for (const { corners } of this.corners()) for (const corner of corners) all.expandByPoint(new THREE.Vector3(...corner));
    for (const mesh of this.surface.meshes) all.expandByObject(mesh, true);
    return all;
  }

  /** Returns points all around the posed surface and the hitboxes, in world space: the corners of hitboxes, and some vertices. */
  outline(): THREE.Vector3[] {
    const points = this.corners().flatMap(({ corners }) => corners.map((corner) => new THREE.Vector3(...corner)));
    for (const mesh of this.surface.meshes) {
      const { count } = mesh.geometry.getAttribute('position');
      for (let vertex = 0; vertex < count; vertex += Math.ceil(count / OUTLINE)) {
        points.push(mesh.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
      }
    }
    return points;
  }

  dispose(): void {
    this.root.removeFromParent();
    this.boxes.dispose();
    this.surface.dispose();
    this.skeleton.dispose();
    this.ragdoll?.ranges.dispose();
    this.dot.material.dispose();
  }

  private restyle(): void {
    if (this.ragdoll && this.bake) this.ragdoll.ranges.selected = this.selected === null ? null : bodyOfJoint(this.bake, this.selected);
    this.boxes.style((joint, index) => this.look(joint, index));
  }

  private look(joint: number, index: number): BoxLook {
    const { boxes } = this.display;
    const lit = this.lit?.has(joint) ?? false;
    const active = this.active.get(index);
    const isSelected = this.chosen ? this.chosen.has(index) : this.selected === joint;
    const pointedOut = lit || active !== undefined || isSelected;
    const showsRanges = this.display.ragdoll && this.ragdoll !== null;
    const stepsBack = !pointedOut && (this.lit !== null || this.selected !== null || showsRanges);
    const drawn = !this.hidden.has(joint) && (boxes !== 'off' || pointedOut);
    return {
      color: lit ? (this.skins.has(joint) ? LIT : NEAR) : (active ?? this.colors[joint] ?? GRAY),
      faces: drawn ? faceOpacity(boxes, pointedOut, stepsBack) : 0,
      edges: drawn ? (stepsBack ? 0.3 : 1) : 0,
      over: boxes === 'x-ray' || pointedOut,
    };
  }
}

const GRAY = new THREE.Color('gray');

/** Highlighted wire boxes get faint faces. */
function faceOpacity(style: BoxStyle, pointedOut: boolean, stepsBack: boolean): number {
  if (pointedOut) return 0.45;
  if (style === 'wire') return 0;
  return stepsBack ? 0.06 : 0.24;
}

function same(a: ReadonlySet<number> | null, b: ReadonlySet<number> | null): boolean {
  if (a === null || b === null) return a === b;
  return a.size === b.size && [...a].every((joint) => b.has(joint));
}

/** The decoded clips of each model; all actors of the model share them. */
const decoded = new WeakMap<Model, Clip[]>();

function clipsOf(model: Model): Clip[] {
  const known = decoded.get(model);
  if (known) return known;
  const clips = model.clips.map((clip) => new Clip(clip));
  decoded.set(model, clips);
  return clips;
}
