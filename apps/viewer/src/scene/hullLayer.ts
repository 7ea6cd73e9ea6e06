// Draws the faces or the edges of hulls in one draw call.

import * as THREE from 'three';
import type { HullShape } from './hullShape';
import { colorOf, overlay, type BoxLook, type Overlay } from './look';

/** A hitbox that may be a hull. */
interface MaybeHull {
  hull: HullShape | null;
  worldFromCube: THREE.Matrix4;
  look: BoxLook;
}

/** The faces or the edges of the hulls that depth hides, or of those that it does not hide. Every hull has points of its own. */
export class HullLayer {
  readonly shape = 'hull';
  readonly object: Overlay;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly positions: THREE.BufferAttribute;
  private readonly colors: THREE.BufferAttribute;

  constructor(
    private readonly part: 'faces' | 'edges',
    private readonly over: boolean,
    boxes: MaybeHull[],
  ) {
    const count = boxes.reduce((sum, { hull }) => sum + (hull ? hull[part].length / 3 : 0), 0);
    this.positions = new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage);
    this.colors = new THREE.BufferAttribute(new Float32Array(4 * count), 4);
    this.geometry.setAttribute('position', this.positions);
    this.geometry.setAttribute('boxColor', this.colors);
    this.object = overlay(this.geometry, VERTEX, part, over);
  }

  /** Calls `each` with every hull that the layer shows and the place of its first point. Returns the number of all points. */
  private shown<B extends MaybeHull>(boxes: B[], each: (box: B, points: Float32Array, first: number) => void): number {
    let first = 0;
    for (const box of boxes) {
      if (!box.hull || box.look.over !== this.over || box.look[this.part] <= 0) continue;
      const points = box.hull[this.part];
      each(box, points, first);
      first += points.length / 3;
    }
    return first;
  }

  /** Moves the hulls that the layer shows. */
  place(boxes: MaybeHull[]): void {
    const at = new THREE.Vector3();
    const count = this.shown(boxes, ({ worldFromCube }, points, first) => {
      for (let point = 0; point < points.length / 3; point++) {
        at.fromArray(points, 3 * point).applyMatrix4(worldFromCube);
        this.positions.setXYZ(first + point, at.x, at.y, at.z);
      }
    });
    this.positions.needsUpdate = true;
    this.geometry.setDrawRange(0, count);
    this.object.visible = count > 0;
  }

  /** Colors the hulls that the layer shows. */
  color(boxes: MaybeHull[]): void {
    this.shown(boxes, ({ look }, points, first) => {
      const { r, g, b } = colorOf(look, this.part);
      for (let point = 0; point < points.length / 3; point++) this.colors.setXYZW(first + point, r, g, b, look[this.part]);
    });
    this.colors.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.object.material.dispose();
  }
}

const VERTEX = `
attribute vec4 boxColor;
varying vec4 vColor;
void main() {
  vColor = boxColor;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
