// Marks in world space, drawn over everything: the points where skins touch, and a ray with the triangles that it hits and the normal.

import * as THREE from 'three';
import type { Vec3 } from '../data/baked';
import type { Actor } from './actor';
import { dots, OVER, plain } from './lines';

const POINT = { ring: 0x101010, core: 0xffffff };
const RAY = 0x00b7ff;
const NORMAL = 0xff7a00;
/** The opacity of the triangles that a ray hits. */
const FACE = 0.55;

/** A ray from its origin to the point that it hits, and the triangles to highlight there, in world space. */
export interface MarkedRay {
  origin: Vec3;
  point: Vec3;
  triangles: [Vec3, Vec3, Vec3][];
  /** The unit normal to draw at the point; `null` for none. */
  normal: Vec3 | null;
  /** The length of the drawn normal, in world units. */
  normalLength: number;
}

export class Marks {
  /** Add this below a node without a transform: its points are in world space. */
  readonly root = new THREE.Group();
  /** The actor that the marks belong to: they are in the views that show it. */
  actor: Actor | null = null;
  private readonly touching = new THREE.BufferGeometry();
  private readonly faces = new THREE.BufferGeometry();
  private readonly lines = new THREE.BufferGeometry();
  private readonly normals = new THREE.BufferGeometry();
  private touches: Vec3[] = [];
  private joined = false;
  private ray: MarkedRay | null = null;

  constructor() {
    const objects = [
      new THREE.Mesh(this.faces, plain(RAY, { ...OVER, side: THREE.DoubleSide, fragmentShader: `uniform vec3 color; void main() { gl_FragColor = vec4(color, ${FACE}); }` })),
      new THREE.LineSegments(this.lines, plain(RAY, OVER)),
      new THREE.LineSegments(this.normals, plain(NORMAL, OVER)),
      new THREE.Points(this.touching, dots(POINT.ring, 9, OVER)),
      new THREE.Points(this.touching, dots(POINT.core, 5, OVER)),
    ];
    objects.forEach((object, index) => {
      object.frustumCulled = false;
      object.renderOrder = 5 + index;
      this.root.add(object);
    });
    this.write();
  }

  /** Shows points, such as those where skins touch, with a line from each to the next if they are `joined`. */
  setTouches(touches: Vec3[], joined = false): void {
    this.touches = touches;
    this.joined = joined;
    this.write();
  }

  /** Shows a ray and what it hits; `null` shows none. */
  setRay(ray: MarkedRay | null): void {
    if (ray === this.ray) return;
    this.ray = ray;
    this.write();
  }

  private write(): void {
    const { ray } = this;
    const edges = (ray?.triangles ?? []).flatMap(([a, b, c]) => [a, b, b, c, c, a]);
    const parts: [THREE.BufferGeometry, Vec3[]][] = [
      [this.touching, this.touches],
      [this.faces, (ray?.triangles ?? []).flat()],
      [this.lines, ray ? [ray.origin, ray.point, ...edges] : []],
      [this.normals, ray?.normal ? [ray.point, along(ray.point, ray.normal, ray.normalLength)] : this.joined ? this.touches : []],
    ];
    for (const [geometry, points] of parts) {
      // A new attribute each time: lists of points change their lengths.
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(points.flat(), 3));
      geometry.setDrawRange(0, points.length);
    }
  }
}

function along(start: Vec3, direction: Vec3, length: number): Vec3 {
  return start.map((from, axis) => from + length * direction[axis]!) as Vec3;
}
