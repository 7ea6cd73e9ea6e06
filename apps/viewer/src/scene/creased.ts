// Computes vertex normals that are smooth over gentle bends and sharp over creases, with few copies of vertices.

import { cornersByVertex } from './triangleOrder';

/** An indexed mesh in which each vertex has one normal. */
export interface Creased {
  /** For each new vertex, the vertex of the input of which it is a copy. */
  origin: Uint32Array;
  /** The unit normals, three numbers for each vertex. */
  normals: Float32Array;
  /** The triangles, three new vertices for each. */
  triangles: Uint32Array;
}

/** Triangles whose normals differ by less than `angle` radians are shaded as one surface. */
export function creased(positions: Float32Array, triangles: Uint32Array, angle: number): Creased {
  const faces = faceNormals(positions, triangles);
  const { points, count } = weld(positions);
  const { starts, corners } = cornersByVertex(triangles.map((vertex) => points[vertex]!), count);
  const least = Math.cos(angle);
  const origin: number[] = [];
  const normals: number[] = [];
  const result = new Uint32Array(triangles.length);
  // The copies of an input vertex are a list: the last one made, then the one made before it.
  const last = new Int32Array(positions.length / 3).fill(-1);
  const before: number[] = [];
  for (let corner = 0; corner < triangles.length; corner++) {
    const vertex = triangles[corner]!;
    const point = points[vertex]!;
    const [x, y, z] = sumAround(corner, corners.subarray(starts[point]!, starts[point + 1]!), faces, least);
    let copy = last[vertex]!;
    while (copy >= 0 && !(near(normals[3 * copy]!, x) && near(normals[3 * copy + 1]!, y) && near(normals[3 * copy + 2]!, z))) {
      copy = before[copy]!;
    }
    if (copy < 0) {
      copy = origin.length;
      origin.push(vertex);
      normals.push(x, y, z);
      before.push(last[vertex]!);
      last[vertex] = copy;
    }
    result[corner] = copy;
  }
  return { origin: new Uint32Array(origin), normals: new Float32Array(normals), triangles: result };
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-4;
}

/** Returns six numbers for each triangle: its unit normal, then the normal times twice the area. */
function faceNormals(positions: Float32Array, triangles: Uint32Array): Float64Array {
  const faces = new Float64Array(2 * triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at]!, 3 * triangles[at + 1]!, 3 * triangles[at + 2]!];
    const side = (end: number, axis: number) => positions[end + axis]! - positions[a + axis]!;
    const x = side(b, 1) * side(c, 2) - side(b, 2) * side(c, 1);
    const y = side(b, 2) * side(c, 0) - side(b, 0) * side(c, 2);
    const z = side(b, 0) * side(c, 1) - side(b, 1) * side(c, 0);
    const length = Math.hypot(x, y, z) || 1;
    faces.set([x / length, y / length, z / length, x, y, z], 2 * at);
  }
  return faces;
}

/** Gives vertices at the same place the same point, because a seam of a texture is not a crease. */
function weld(positions: Float32Array): { points: Uint32Array; count: number } {
  const points = new Uint32Array(positions.length / 3);
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const known = new Map<number, number[]>();
  let count = 0;
  for (let vertex = 0; vertex < points.length; vertex++) {
    const at = 3 * vertex;
    const hash = (Math.imul(bits[at]!, 73856093) ^ Math.imul(bits[at + 1]!, 19349663) ^ Math.imul(bits[at + 2]!, 83492791)) >>> 0;
    const others = known.get(hash);
    const same = others?.find((other) => [0, 1, 2].every((axis) => positions[3 * other + axis] === positions[at + axis]));
    points[vertex] = same === undefined ? count++ : points[same]!;
    if (same !== undefined) continue;
    if (others) others.push(vertex);
    else known.set(hash, [vertex]);
  }
  return { points, count };
}

/** Returns the normal of one corner: the mean over its triangle and the triangles around its point that bend gently from it. */
function sumAround(corner: number, around: Uint32Array, faces: Float64Array, least: number): [number, number, number] {
  const own = 6 * Math.floor(corner / 3);
  let [x, y, z] = [0, 0, 0];
  for (const other of around) {
    const face = 6 * Math.floor(other / 3);
    const cosine = faces[own]! * faces[face]! + faces[own + 1]! * faces[face + 1]! + faces[own + 2]! * faces[face + 2]!;
    if (cosine < least) continue;
    x += faces[face + 3]!;
    y += faces[face + 4]!;
    z += faces[face + 5]!;
  }
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 1, 0];
}
