// The grid on the ground. A label shows the length of its squares.

import * as THREE from 'three';
import { length } from '../data/units';
import { plain } from './lines';

/** The number of squares along a side. */
const SQUARES = 20;

export class Grid {
  readonly root = new THREE.Group();
  private lines: THREE.GridHelper | null = null;
  floor = 0;
  private square = 0;
  private dark = false;

  /** The length of a square's side, with its unit. */
  get legend(): string {
    return this.square > 0 ? `1 square = ${length(this.square)}` : '';
  }

  /** Puts the grid under a box, a few squares wide. The side of a square is 1, 2 or 5 times a power of ten meters. */
  fit(bounds: THREE.Box3): void {
    const radius = Math.max(bounds.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    const power = 10 ** Math.floor(Math.log10(radius / 3));
    this.square = power * ([5, 2, 1].find((factor) => factor * power <= radius / 3) ?? 1);
    this.floor = Math.min(bounds.min.y, 0);
    this.make();
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.make();
  }

  private make(): void {
    if (this.lines) {
      this.lines.removeFromParent();
      this.lines.dispose();
    }
    if (this.square === 0) return;
    this.lines = new THREE.GridHelper(this.square * SQUARES, SQUARES);
    this.lines.material.dispose();
    (this.lines as THREE.LineSegments).material = plain(this.dark ? 0x3a3f47 : 0xd4d6da);
    this.lines.position.y = this.floor;
    this.root.add(this.lines);
  }
}
