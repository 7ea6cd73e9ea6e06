// Finds directions from which a point of the surface is visible.

import * as THREE from 'three';

/** Directions all around; among equally near directions, nearly level ones come first. */
const AROUND: THREE.Vector3[] = [0.15, 0.6, -0.4, 1.3, -1].flatMap((height) =>
  Array.from({ length: 12 }, (_, step) => {
    const angle = (step * Math.PI) / 6;
    return new THREE.Vector3(Math.sin(angle), height, Math.cos(angle)).normalize();
  }),
);

/** Returns every posed triangle: nine numbers each, in world space. */
export function posedTriangles(meshes: THREE.Mesh[]): Float32Array {
  const parts = meshes.map((mesh) => {
    const { count } = mesh.geometry.getAttribute('position');
    const points = new Float32Array(3 * count);
    const point = new THREE.Vector3();
    for (let vertex = 0; vertex < count; vertex++) {
      mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld).toArray(points, 3 * vertex);
    }
    return points;
  });
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Returns the direction nearest to `now` from which the point is visible. Directions from below have a lower priority.
 * Returns `now` if the point is hidden from all directions.
 */
export function clearDirection(
  point: THREE.Vector3,
  now: THREE.Vector3,
  triangles: Float32Array,
  skip: number,
): THREE.Vector3 {
  const fit = (direction: THREE.Vector3) => direction.dot(now) + 1.5 * Math.min(direction.y, 0);
  const candidates = [now, ...[...AROUND].sort((a, b) => fit(b) - fit(a))];
  const ray = new THREE.Ray();
  const [a, b, c, hit] = [0, 1, 2, 3].map(() => new THREE.Vector3()) as [THREE.Vector3, THREE.Vector3, THREE.Vector3, THREE.Vector3];
  const isFree = (direction: THREE.Vector3) => {
    // The ray starts a little away from the point, so that it does not meet the point's own triangle.
    ray.direction.copy(direction);
    ray.origin.copy(point).addScaledVector(direction, skip);
    for (let at = 0; at < triangles.length; at += 9) {
      a.fromArray(triangles, at);
      b.fromArray(triangles, at + 3);
      c.fromArray(triangles, at + 6);
      if (ray.intersectTriangle(a, b, c, false, hit)) return false;
    }
    return true;
  };
  return candidates.find(isFree) ?? now;
}
