// Adds normals to geometries whose file has none.

import * as THREE from 'three';
import { creased } from './creased';
import { neighborsTogether } from './triangleOrder';

/** The largest angle, in radians, between triangles that are shaded as one surface. */
const CREASE = 0.95;

/** Returns the same triangles with normals and all attributes. A vertex on a crease is copied. */
export function withCreasedNormals(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const position = geometry.getAttribute('position');
  const all = Uint32Array.from({ length: position.count }, (_, vertex) => vertex);
  const positions = Float32Array.from({ length: 3 * position.count }, (_, at) => position.getComponent(Math.floor(at / 3), at % 3));
  const { origin, normals, triangles } = creased(positions, geometry.index ? Uint32Array.from(geometry.index.array) : all, CREASE);
  const result = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) result.setAttribute(name, gathered(attribute, origin));
  result.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  result.setIndex(new THREE.BufferAttribute(neighborsTogether(triangles, origin.length), 1));
  return result;
}

function gathered(attribute: THREE.BufferAttribute | THREE.InterleavedBufferAttribute, origin: Uint32Array): THREE.BufferAttribute {
  const width = attribute.itemSize;
  const result = new Float32Array(width * origin.length);
  origin.forEach((vertex, index) => {
    for (let k = 0; k < width; k++) result[width * index + k] = attribute.getComponent(vertex, k);
  });
  return new THREE.BufferAttribute(result, width);
}
