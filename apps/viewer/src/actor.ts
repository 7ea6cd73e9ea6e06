// A character in the scene: its joints, its surface, its boxes.

import * as THREE from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { Clip } from './clip';
import { OutsidePaint } from './outside';
import { clearDirection, posedTriangles } from './sight';
import { floats, integers, words } from './source';
import type { Bake, Hitbox, Model, Rest } from './types';

/** `outside` paints red what is in no box. */
export type Surface = 'solid' | 'outside' | 'ghost' | 'off';
export type BoxStyle = 'solid' | 'wire' | 'x-ray' | 'off';

/** How an actor is shown. */
export interface Display {
  surface: Surface;
  boxes: BoxStyle;
}

/** Angle in radians between triangles that are shaded as one. */
const CREASE = 0.95;

const CLAY = 0xd9d6d2;
const LIT = 0xff2d3f;

/** A box's faces and edges below its joint. */
interface BoxParts {
  data: Hitbox;
  root: THREE.Object3D;
  faces: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  edges: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  color: THREE.Color;
}

const DOT = new THREE.SphereGeometry(1, 20, 12);
const UNIT_BOX = new THREE.BoxGeometry(2, 2, 2);
const UNIT_EDGES = new THREE.EdgesGeometry(UNIT_BOX);

export class Actor {
  /** Put this into the scene; its matrix is world from model. */
  readonly root = new THREE.Group();
  readonly clips: Clip[];
  readonly bones: THREE.Bone[];
  private readonly rest: Rest[];
  private readonly surfaces: THREE.Mesh[] = [];
  private readonly clay = new THREE.MeshStandardMaterial({ color: CLAY, roughness: 0.75, side: THREE.DoubleSide });
  private readonly paint = new OutsidePaint(this.clay);
  private boxes: BoxParts[] = [];
  private display: Display = { surface: 'solid', boxes: 'solid' };
  private lit = new Set<number>();
  private quiet = false;
  private selected: number | null = null;
  /** Points at a place; over everything. */
  private readonly dot = new THREE.Mesh(DOT, new THREE.MeshBasicMaterial({ color: LIT, depthTest: false, transparent: true }));

  constructor(
    readonly model: Model,
    bake: Bake,
  ) {
    this.rest = model.rest;
    this.clips = model.clips.map((clip) => new Clip(clip));
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
    this.root.updateMatrixWorld(true);
    for (const mesh of model.meshes) this.addMesh(mesh);
    for (const attachment of model.attachments) this.addAttachment(attachment);
    this.dot.renderOrder = 3;
    this.dot.visible = false;
    this.root.add(this.dot);
    this.setBake(bake);
  }

  /** Takes other boxes for the same model. */
  setBake(bake: Bake): void {
    for (const { root, faces, edges } of this.boxes) {
      root.removeFromParent();
      faces.material.dispose();
      edges.material.dispose();
    }
    this.boxes = bake.bake.boxes.map((data) => this.makeBox(data, bake.colors[data.joint_index] ?? '#808080'));
    this.restyle();
  }

  /** Joints to a clip's pose, `elapsed` seconds after it began, or to rest. */
  pose(clip: number | null, elapsed: number): void {
    this.rest.forEach((rest, joint) => {
      const bone = this.bones[joint]!;
      if ('m' in rest) {
        bone.matrixAutoUpdate = false;
        bone.matrix.copy(affine(rest.m));
        return;
      }
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

  /** Must be called before the picture is drawn. */
  prepare(): void {
    if (this.display.surface !== 'outside') return this.paint.update(null);
    this.root.updateMatrixWorld(true);
    this.paint.update(this.boxes.map(({ root }) => root.matrixWorld));
  }

  show(display: Display): void {
    this.display = display;
    this.restyle();
  }

  /** Joints whose boxes touch; `null` where nobody asks. */
  light(joints: Set<number> | null): void {
    this.lit = joints ?? new Set();
    this.quiet = joints !== null;
    this.restyle();
  }

  select(joint: number | null): void {
    this.selected = joint;
    this.restyle();
  }

  /** Puts a dot at a place in model space; `null` takes it away. */
  mark(point: [number, number, number] | null, radius = 1): void {
    this.dot.visible = point !== null;
    if (point) this.dot.position.set(...point);
    this.dot.scale.setScalar(radius);
  }

  /** World positions of the corners of each box: bit 0, 1, 2 of the index choose the side along x, y, z. */
  corners(): { joint: string; corners: [number, number, number][] }[] {
    this.root.updateMatrixWorld(true);
    return this.boxes.map(({ data, root }) => ({
      joint: data.joint,
      corners: Array.from({ length: 8 }, (_, i) => {
        const side = (k: number) => ((i >> k) & 1 ? 1 : -1);
        return new THREE.Vector3(side(0), side(1), side(2)).applyMatrix4(root.matrixWorld).toArray();
      }),
    }));
  }

  /** Where a joint's first box is, else the joint itself; world space. */
  place(joint: number, into: THREE.Vector3): THREE.Vector3 {
    const box = this.boxes.find(({ data }) => data.joint_index === joint);
    return into.setFromMatrixPosition((box?.root ?? this.bones[joint]!).matrixWorld);
  }

  /** The joint whose box the ray meets first. */
  pick(ray: THREE.Raycaster): number | null {
    if (this.display.boxes === 'off') return null;
    const hit = ray.intersectObjects(
      this.boxes.map(({ faces }) => faces),
      false,
    )[0];
    return this.boxes.find(({ faces }) => faces === hit?.object)?.data.joint_index ?? null;
  }

  /** The direction nearest to `now` from which the point of the surface can be seen; world space. */
  clearDirection(point: THREE.Vector3, now: THREE.Vector3, skip: number): THREE.Vector3 {
    this.root.updateMatrixWorld(true);
    return clearDirection(point, now, posedTriangles(this.surfaces), skip);
  }

  /** Around the surface and the boxes as they are now; world space. */
  bounds(): THREE.Box3 {
    this.root.updateMatrixWorld(true);
    const all = new THREE.Box3();
    for (const { corners } of this.corners()) for (const corner of corners) all.expandByPoint(new THREE.Vector3(...corner));
    for (const surface of this.surfaces) all.expandByObject(surface, true);
    return all;
  }

  dispose(): void {
    this.root.removeFromParent();
    for (const { faces, edges } of this.boxes) {
      faces.material.dispose();
      edges.material.dispose();
    }
    this.clay.dispose();
    this.dot.material.dispose();
    this.paint.dispose();
  }

  private addMesh(data: Model['meshes'][number]): void {
    const mesh = new THREE.SkinnedMesh(geometryOf(data), this.clay);
    const binds = floats(data.binds);
    const inverses = data.joints.map((_, slot) => affine(Array.from(binds.subarray(12 * slot, 12 * slot + 12))));
    const bones = data.joints.map((joint) => this.bones[joint]!);
    mesh.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
    mesh.frustumCulled = false;
    this.surfaces.push(mesh);
    this.root.add(mesh);
  }

  private addAttachment(data: Model['attachments'][number]): void {
    const mesh = new THREE.Mesh(geometryOf(data), this.clay);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(affine(data.matrix));
    this.surfaces.push(mesh);
    this.bones[data.joint]!.add(mesh);
  }

  private makeBox(data: Hitbox, hex: string): BoxParts {
    const root = new THREE.Object3D();
    root.matrixAutoUpdate = false;
    const half = new THREE.Vector3(...data.half_extents);
    root.matrix.compose(new THREE.Vector3(...data.center), new THREE.Quaternion(...data.orientation), half);
    const color = new THREE.Color(hex);
    const faces = new THREE.Mesh(UNIT_BOX, new THREE.MeshBasicMaterial({ color, transparent: true, depthWrite: false }));
    const edges = new THREE.LineSegments(UNIT_EDGES, new THREE.LineBasicMaterial({ color, transparent: true }));
    edges.raycast = () => {};
    edges.renderOrder = 2;
    faces.renderOrder = 1;
    root.add(faces, edges);
    this.bones[data.joint_index]!.add(root);
    return { data, root, faces, edges, color };
  }

  private restyle(): void {
    const { surface, boxes } = this.display;
    this.clay.transparent = surface === 'ghost';
    this.clay.opacity = surface === 'ghost' ? 0.35 : 1;
    this.clay.depthWrite = surface !== 'ghost';
    this.clay.needsUpdate = true;
    for (const mesh of this.surfaces) mesh.visible = surface !== 'off';
    for (const { data, root, faces, edges, color } of this.boxes) {
      const lit = this.lit.has(data.joint_index);
      const selected = this.selected === data.joint_index;
      const stepsBack = (this.quiet && !lit) || (this.selected !== null && !selected && !lit);
      root.visible = boxes !== 'off' || lit || selected;
      const tint = lit ? new THREE.Color(LIT) : color;
      faces.material.color.copy(tint);
      edges.material.color.copy(tint).multiplyScalar(0.85);
      const seeThrough = boxes === 'x-ray' || lit || selected;
      faces.material.depthTest = edges.material.depthTest = !seeThrough;
      faces.material.opacity = faceOpacity(boxes, lit || selected, stepsBack);
      edges.material.opacity = stepsBack ? 0.3 : 1;
    }
  }
}

/** Made once for all actors of a model. */
const geometries = new WeakMap<object, THREE.BufferGeometry>();

function geometryOf(data: Model['meshes'][number] | Model['attachments'][number]): THREE.BufferGeometry {
  const known = geometries.get(data);
  if (known) return known;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(floats(data.positions), 3));
  if ('slots' in data) {
    geometry.setAttribute('skinIndex', new THREE.BufferAttribute(words(data.slots), 4));
    geometry.setAttribute('skinWeight', new THREE.BufferAttribute(floats(data.weights), 4));
  }
  geometry.setIndex(new THREE.BufferAttribute(integers(data.triangles), 1));
  const creased = toCreasedNormals(geometry, CREASE);
  geometries.set(data, creased);
  return creased;
}

/** Frees what the graphics card holds of a model that no actor shows any more. */
export function forget(model: Model): void {
  for (const data of [...model.meshes, ...model.attachments]) {
    geometries.get(data)?.dispose();
    geometries.delete(data);
  }
}

/** Wire boxes keep a trace of their faces where they are pointed out. */
function faceOpacity(style: BoxStyle, pointedOut: boolean, stepsBack: boolean): number {
  if (pointedOut) return 0.45;
  if (style === 'wire') return 0;
  return stepsBack ? 0.06 : 0.24;
}

/** From 12 numbers: three columns and a translation. */
export function affine(m: number[]): THREE.Matrix4 {
  const [a, b, c, d, e, f, g, h, i, x, y, z] = m as [
    number, number, number, number, number, number, number, number, number, number, number, number,
  ];
  return new THREE.Matrix4(a, d, g, x, b, e, h, y, c, f, i, z, 0, 0, 0, 1);
}
