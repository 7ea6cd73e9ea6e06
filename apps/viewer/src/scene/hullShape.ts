// Convex hulls in the cube around them: their geometry, and whether a ray meets them.

import * as THREE from 'three';
import type { Hitbox } from '../data/baked';

/** A hull in the space of the cube with half extents of 1 around its box. */
export interface HullShape {
  /** Three numbers for each corner of each triangle. */
  faces: Float32Array;
  /** Three numbers for each end of each edge. */
  edges: Float32Array;
  /** The plane of each triangle: three numbers of the outward unit normal, and the height along the normal. */
  planes: Float32Array;
}

/** An edge between triangles whose normals are less than this angle apart, in degrees, is not drawn. */
const FLAT = 0.5;

/** Returns the hull of a hitbox; `null` for other shapes. */
export function hullShape({ hull, center, half_extents, orientation }: Hitbox): HullShape | null {
  if (!hull) return null;
  const cubeFromJoint = new THREE.Matrix4()
    .compose(new THREE.Vector3(...center), new THREE.Quaternion(...orientation), new THREE.Vector3(...half_extents))
    .invert();
  const vertices = hull.vertices.map((vertex) => new THREE.Vector3(...vertex).applyMatrix4(cubeFromJoint));
  const corners = hull.triangles.flatMap((triangle) => triangle.flatMap((vertex) => vertices[vertex]!.toArray()));
  const made = new THREE.BufferGeometry();
  made.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  const edges = new THREE.EdgesGeometry(made, FLAT).getAttribute('position').array as Float32Array;
  const planes = hull.triangles.flatMap(([a, b, c]) => {
    const plane = new THREE.Plane().setFromCoplanarPoints(vertices[a]!, vertices[b]!, vertices[c]!);
    return [...plane.normal.toArray(), -plane.constant];
  });
  return { faces: new Float32Array(corners), edges, planes: new Float32Array(planes) };
}

/** Returns the point where a ray that starts outside first meets a hull; `null` if it does not. */
export function meetHull(ray: THREE.Ray, { planes }: HullShape, into: THREE.Vector3): THREE.Vector3 | null {
  let [enters, leaves] = [0, Infinity];
  for (let plane = 0; plane < planes.length; plane += 4) {
    const normal = new THREE.Vector3().fromArray(planes, plane);
    const above = normal.dot(ray.origin) - planes[plane + 3]!;
    const rise = normal.dot(ray.direction);
    if (rise < 0) enters = Math.max(enters, -above / rise);
    else if (rise > 0) leaves = Math.min(leaves, -above / rise);
    else if (above > 0) return null;
  }
  return enters <= leaves ? ray.at(enters, into) : null;
}
