// Draws all hitboxes of a character in at most twelve draw calls: faces and edges of boxes, of round shapes and of hulls, each
// behind the surface or over it.

import * as THREE from 'three';
import type { Hitbox } from '../data/baked';
import { HullLayer } from './hullLayer';
import { hullShape, meetHull, type HullShape } from './hullShape';
import { colorOf, overlay, type BoxLook, type Overlay } from './look';
import { meetCapsule, roundEdges, roundFaces, straightShare } from './roundShapes';

const CUBE = withoutSides(new THREE.BoxGeometry(2, 2, 2));
const SHAPES = {
  box: { faces: CUBE, edges: withoutSides(new THREE.EdgesGeometry(CUBE)) },
  round: { faces: roundFaces(), edges: roundEdges() },
};

/** A geometry whose points belong to no cap. */
function withoutSides(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const count = geometry.getAttribute('position').count;
  return geometry.setAttribute('side', new THREE.Float32BufferAttribute(new Float32Array(count), 1));
}

/** A hitbox at its joint. */
export interface PlacedHitbox {
  joint: number;
  /** The straight share of a capsule or a sphere (see `straightShare`); `null` for other shapes. */
  straight: number | null;
  /** The hull; `null` for other shapes. */
  hull: HullShape | null;
  /** From a cube with half extents of 1 to the box around the hitbox. */
  worldFromCube: THREE.Matrix4;
}

/** A hitbox that a ray meets. */
export interface PickedHitbox {
  joint: number;
  /** Its number among all hitboxes. */
  box: number;
  /** In world units. */
  distance: number;
}

interface Box extends PlacedHitbox {
  data: Hitbox;
  /** The number of the hitbox in the bake. */
  index: number;
  bone: THREE.Object3D;
  jointFromCube: THREE.Matrix4;
  look: BoxLook;
}

export class Hitboxes {
  /** Add this below a node without a transform: its instances are in world space. */
  readonly root = new THREE.Group();
  private readonly boxes: Box[];
  private readonly layers: (Layer | HullLayer)[];

  /** `bones` are the joints by number. */
  constructor(data: Hitbox[], bones: THREE.Object3D[]) {
    this.boxes = data
      .map((data, index) => ({
        joint: data.joint_index,
        data,
        index,
        straight: straightShare(data),
        hull: hullShape(data),
        bone: bones[data.joint_index]!,
        jointFromCube: jointFromCube(data),
        worldFromCube: new THREE.Matrix4(),
        look: { color: new THREE.Color(), faces: 0, edges: 0, over: false },
      }))
      .sort((a, b) => a.joint - b.joint);
    const count = data.length;
    this.layers = [false, true].flatMap((over) =>
      (['faces', 'edges'] as const).flatMap((part) => [
        new Layer('box', part, over, count),
        new Layer('round', part, over, count),
        new HullLayer(part, over, this.boxes),
      ]),
    );
    this.layers.forEach(({ object }) => this.root.add(object));
  }

  /** Takes other places and sizes of the same hitboxes. Returns false if there are other hitboxes, or hulls that change. */
  replace(data: Hitbox[]): boolean {
    const isSame = ({ index, data: old }: Box) => {
      const now = data[index];
      return now === old || (now !== undefined && now.joint_index === old.joint_index && !now.hull && !old.hull);
    };
    if (data.length !== this.boxes.length || !this.boxes.every(isSame)) return false;
    for (const box of this.boxes) {
      const now = data[box.index]!;
      if (now === box.data) continue;
      Object.assign(box, { data: now, straight: straightShare(now) });
      box.jointFromCube.copy(jointFromCube(now));
    }
    return true;
  }

  /** Returns the transform from the axes of a hitbox, about its center, to world space. */
  worldFromBox(index: number): THREE.Matrix4 | null {
    const box = this.boxes.find((box) => box.index === index);
    if (!box) return null;
    const { center, orientation } = box.data;
    const jointFromBox = new THREE.Matrix4().compose(new THREE.Vector3(...center), new THREE.Quaternion(...orientation), new THREE.Vector3(1, 1, 1));
    return jointFromBox.premultiply(box.bone.matrixWorld);
  }

  /** Moves the hitboxes to the joints, whose world matrices must be up to date. */
  follow(): void {
    for (const { bone, jointFromCube, worldFromCube } of this.boxes) worldFromCube.multiplyMatrices(bone.matrixWorld, jointFromCube);
    this.layers.forEach((layer) => layer.place(this.boxes));
  }

  /** `look` gets the joint and the number of each hitbox. */
  style(look: (joint: number, index: number) => BoxLook): void {
    for (const box of this.boxes) box.look = look(box.joint, box.index);
    this.layers.forEach((layer) => {
      layer.color(this.boxes);
      layer.place(this.boxes);
    });
  }

  /** The hitboxes, in ascending order of joints. */
  placed(): PlacedHitbox[] {
    return this.boxes;
  }

  /**
   * Returns the world positions of the corners of the box around each hitbox. Bits 0, 1 and 2 of the index choose the side along
   * x, y and z.
   */
  corners(): { joint: string; corners: [number, number, number][] }[] {
    return this.boxes.map(({ data, worldFromCube }) => ({
      joint: data.joint,
      corners: Array.from({ length: 8 }, (_, i) => {
        const side = (k: number) => ((i >> k) & 1 ? 1 : -1);
        return new THREE.Vector3(side(0), side(1), side(2)).applyMatrix4(worldFromCube).toArray();
      }),
    }));
  }

  /** Returns the center of a joint's first hitbox; `null` if the joint has none. */
  place(joint: number, into: THREE.Vector3): THREE.Vector3 | null {
    const box = this.boxes.find((box) => box.joint === joint);
    return box ? into.setFromMatrixPosition(box.worldFromCube) : null;
  }

  /** Returns the first visible hitbox that a ray meets; `distance` is in world units. */
  pick(ray: THREE.Ray): PickedHitbox | null {
    let best: PickedHitbox | null = null;
    const cube = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const at = new THREE.Vector3();
    for (const { joint, index, straight, hull, worldFromCube, look } of this.boxes) {
      if (!isDrawn(look)) continue;
      const inside = ray.clone().applyMatrix4(worldFromCube.clone().invert());
      if (!(hull ? meetHull(inside, hull, at) : meets(inside, straight, cube, at))) continue;
      const distance = at.applyMatrix4(worldFromCube).distanceTo(ray.origin);
      if (!best || distance < best.distance) best = { joint, box: index, distance };
    }
    return best;
  }

  dispose(): void {
    this.root.removeFromParent();
    this.layers.forEach((layer) => layer.dispose());
  }
}

function jointFromCube({ center, orientation, half_extents: half }: Hitbox): THREE.Matrix4 {
  return new THREE.Matrix4().compose(new THREE.Vector3(...center), new THREE.Quaternion(...orientation), new THREE.Vector3(...half));
}

/** Returns the point where a ray in the space of the cube meets a box or a round shape; `null` if it does not. */
function meets(ray: THREE.Ray, straight: number | null, cube: THREE.Box3, into: THREE.Vector3): THREE.Vector3 | null {
  if (straight === null || straight === 1) return ray.intersectBox(cube, into);
  // In units of half extent y the shape is round.
  const thin = new THREE.Vector3(1 - straight, 1, 1 - straight);
  const origin = ray.origin.clone().multiply(thin);
  const round = new THREE.Ray(origin, ray.direction.clone().multiply(thin).normalize());
  return meetCapsule(round, 1 - straight, straight, into)?.divide(thin) ?? null;
}

function isDrawn({ faces, edges }: BoxLook): boolean {
  return faces > 0 || edges > 0;
}

/** The faces or the edges of the boxes or of the round shapes that depth hides, or of those that it does not hide. */
class Layer {
  readonly object: Overlay;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly matrices: THREE.InstancedInterleavedBuffer;
  private readonly colors: THREE.InstancedBufferAttribute;
  private readonly straights: THREE.InstancedBufferAttribute;

  constructor(
    private readonly shape: keyof typeof SHAPES,
    private readonly part: 'faces' | 'edges',
    private readonly over: boolean,
    count: number,
  ) {
    const made = SHAPES[shape][part];
    this.geometry.setIndex(made.index);
    for (const name of ['position', 'side']) this.geometry.setAttribute(name, made.getAttribute(name));
    this.straights = new THREE.InstancedBufferAttribute(new Float32Array(count), 1);
    this.geometry.setAttribute('straight', this.straights);
    this.matrices = new THREE.InstancedInterleavedBuffer(new Float32Array(16 * count), 16);
    this.matrices.setUsage(THREE.DynamicDrawUsage);
    for (let column = 0; column < 4; column++) {
      this.geometry.setAttribute(`cube${column}`, new THREE.InterleavedBufferAttribute(this.matrices, 4, 4 * column));
    }
    this.colors = new THREE.InstancedBufferAttribute(new Float32Array(4 * count), 4);
    this.geometry.setAttribute('boxColor', this.colors);
    this.object = overlay(this.geometry, VERTEX, part, over);
  }

  private shows({ look, straight, hull }: Box): boolean {
    return !hull && (straight === null) === (this.shape === 'box') && look.over === this.over && look[this.part] > 0;
  }

  place(boxes: Box[]): void {
    const shown = boxes.filter((box) => this.shows(box));
    shown.forEach(({ worldFromCube, straight }, index) => {
      worldFromCube.toArray(this.matrices.array, 16 * index);
      this.straights.setX(index, straight ?? 0);
    });
    this.matrices.needsUpdate = true;
    this.straights.needsUpdate = true;
    this.geometry.instanceCount = shown.length;
    this.object.visible = shown.length > 0;
  }

  color(boxes: Box[]): void {
    const shown = boxes.filter((box) => this.shows(box));
    shown.forEach(({ look }, index) => {
      const { r, g, b } = colorOf(look, this.part);
      this.colors.setXYZW(index, r, g, b, look[this.part]);
    });
    this.colors.needsUpdate = true;
  }

  dispose(): void {
    // All characters share the index, the positions and the sides.
    this.geometry.setIndex(null);
    this.geometry.deleteAttribute('position');
    this.geometry.deleteAttribute('side');
    this.geometry.dispose();
    this.object.material.dispose();
  }
}

const VERTEX = `
attribute vec4 cube0;
attribute vec4 cube1;
attribute vec4 cube2;
attribute vec4 cube3;
attribute vec4 boxColor;
attribute float side;
attribute float straight;
varying vec4 vColor;
void main() {
  vColor = boxColor;
  vec3 at = vec3(position.x, mix(position.y, side, straight), position.z);
  gl_Position = projectionMatrix * viewMatrix * mat4(cube0, cube1, cube2, cube3) * vec4(at, 1.0);
}`;
