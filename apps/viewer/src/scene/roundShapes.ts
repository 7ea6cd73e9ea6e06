// Capsules and spheres in the cube around them: their geometry, and whether a ray meets them.
//
// A hitbox is drawn by a matrix from a cube with half extents of 1. A capsule lies along the cube's y axis. The one number that
// the matrix lacks is the straight share: how much of half extent y the half segment takes, from 0 (a sphere) to 1 (a segment without a radius).

import * as THREE from 'three';
import type { Hitbox } from '../data/baked';

/** Parts of a whole circle. */
const AROUND = 32;

/** Parts of a cap, from its pole to its rim. */
const CAP = 8;

/** Returns the straight share of a capsule or a sphere; `null` for other shapes. */
export function straightShare({ shape, half_extents: [radius, long] }: Hitbox): number | null {
  if (shape !== 'capsule' && shape !== 'sphere') return null;
  return long > 0 ? Math.max(0, 1 - radius / long) : 0;
}

/** Returns the points of two half circles and the two straight lines between them, in the plane through y at an angle about y. */
function outline(angle: number): [THREE.Vector3, number][] {
  const points: [THREE.Vector3, number][] = [];
  for (const side of [1, -1]) {
    for (let step = 0; step <= 2 * CAP; step++) {
      const turn = (Math.PI * step) / (2 * CAP) + (side > 0 ? 0 : Math.PI);
      const across = Math.cos(turn);
      points.push([new THREE.Vector3(across * Math.cos(angle), Math.sin(turn), across * Math.sin(angle)), side]);
    }
  }
  return points;
}

/** Returns the points of the rim of a cap. */
function rim(side: number): [THREE.Vector3, number][] {
  return Array.from({ length: AROUND }, (_, step) => {
    const turn = (2 * Math.PI * step) / AROUND;
    return [new THREE.Vector3(Math.cos(turn), 0, Math.sin(turn)), side];
  });
}

function geometry(points: [THREE.Vector3, number][], index: number[]): THREE.BufferGeometry {
  const made = new THREE.BufferGeometry();
  made.setAttribute('position', new THREE.Float32BufferAttribute(points.flatMap(([point]) => point.toArray()), 3));
  made.setAttribute('side', new THREE.Float32BufferAttribute(points.map(([, side]) => side), 1));
  made.setIndex(index);
  return made;
}

/** Makes the lines of a unit sphere that is cut along its equator: the two rims, and two outlines at right angles. `side` is 1 or -1. */
export function roundEdges(): THREE.BufferGeometry {
  const points: [THREE.Vector3, number][] = [];
  const index: number[] = [];
  for (const closed of [rim(1), rim(-1), outline(0), outline(Math.PI / 2)]) {
    const first = points.length;
    closed.forEach((_, at) => index.push(first + at, first + ((at + 1) % closed.length)));
    points.push(...closed);
  }
  return geometry(points, index);
}

/** Makes the triangles of a unit sphere that is cut along its equator, with a band between both halves. `side` is 1 or -1. */
export function roundFaces(): THREE.BufferGeometry {
  const points: [THREE.Vector3, number][] = [];
  for (let ring = 0; ring < 2 * CAP + 2; ring++) {
    const side = ring <= CAP ? 1 : -1;
    const down = (Math.PI * (side > 0 ? ring : ring - 1)) / (2 * CAP);
    for (let step = 0; step < AROUND; step++) {
      const turn = (2 * Math.PI * step) / AROUND;
      const across = Math.sin(down);
      points.push([new THREE.Vector3(across * Math.cos(turn), Math.cos(down), across * Math.sin(turn)), side]);
    }
  }
  const index: number[] = [];
  for (let ring = 0; ring < 2 * CAP + 1; ring++) {
    for (let step = 0; step < AROUND; step++) {
      const [a, b] = [ring * AROUND + step, ring * AROUND + ((step + 1) % AROUND)];
      index.push(a, b, a + AROUND, b, b + AROUND, a + AROUND);
    }
  }
  return geometry(points, index);
}

/**
 * Returns the point where a ray that starts outside first meets a capsule along y, with the centers of its caps at `±reach`; `null`
 * if it does not. The direction has the length 1.
 */
export function meetCapsule(ray: THREE.Ray, radius: number, reach: number, into: THREE.Vector3): THREE.Vector3 | null {
  let first = Infinity;
  const { origin: o, direction: d } = ray;
  // The round wall: the distance from the y axis is the radius.
  const a = d.x * d.x + d.z * d.z;
  const b = o.x * d.x + o.z * d.z;
  const root = b * b - a * (o.x * o.x + o.z * o.z - radius * radius);
  if (a > 0 && root >= 0) {
    const at = (-b - Math.sqrt(root)) / a;
    if (at >= 0 && Math.abs(o.y + at * d.y) <= reach) first = at;
  }
  const cap = new THREE.Sphere(new THREE.Vector3(), radius);
  for (const side of [1, -1]) {
    cap.center.set(0, side * reach, 0);
    if (ray.intersectSphere(cap, into)) first = Math.min(first, into.sub(o).dot(d) / d.lengthSq());
  }
  return first < Infinity ? ray.at(first, into) : null;
}
