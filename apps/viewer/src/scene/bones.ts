// The skeleton: a line from each joint to its parent and a dot at each joint, drawn over everything.

import * as THREE from 'three';
import type { Model } from '../data/types';
import { dots, OVER, plain } from './lines';

const COLOR = 0x1f6feb;
const POINT = 5;

export class Bones {
  /** Add this below a node without a transform: its points are in world space. */
  readonly root = new THREE.Group();
  private readonly lines = new THREE.BufferGeometry();
  private readonly points = new THREE.BufferGeometry();
  private readonly materials = [plain(COLOR, OVER), dots(COLOR, POINT, OVER)] as const;

  constructor(
    private readonly model: Model,
    private readonly bones: THREE.Bone[],
  ) {
    const children = model.joints.filter(({ parent }) => parent !== null).length;
    this.lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * children), 3));
    this.points.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * bones.length), 3));
    const objects = [new THREE.LineSegments(this.lines, this.materials[0]), new THREE.Points(this.points, this.materials[1])];
    for (const object of objects) {
      object.frustumCulled = false;
      object.matrixWorldAutoUpdate = false;
      object.renderOrder = 4;
      this.root.add(object);
    }
    this.root.visible = false;
  }

  /** Moves the lines and dots to the joints, whose world matrices must be up to date. */
  follow(): void {
    if (!this.root.visible) return;
    const [lines, points] = [this.lines, this.points].map((geometry) => geometry.getAttribute('position')) as [THREE.BufferAttribute, THREE.BufferAttribute];
    const at = (joint: number) => new THREE.Vector3().setFromMatrixPosition(this.bones[joint]!.matrixWorld);
    let line = 0;
    this.model.joints.forEach(({ parent }, joint) => {
      at(joint).toArray(points.array, 3 * joint);
      if (parent === null) return;
      at(parent).toArray(lines.array, 6 * line);
      at(joint).toArray(lines.array, 6 * line + 3);
      line++;
    });
    lines.needsUpdate = true;
    points.needsUpdate = true;
  }

  dispose(): void {
    this.lines.dispose();
    this.points.dispose();
    this.materials.forEach((material) => material.dispose());
  }
}
