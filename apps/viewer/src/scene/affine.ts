// Matrices in the form in which the server sends them.

import * as THREE from 'three';

/** Makes a matrix from 12 numbers: three columns and a translation. */
export function affine(m: ArrayLike<number>): THREE.Matrix4 {
  const [a, b, c, d, e, f, g, h, i, x, y, z] = Array.from(m) as [
    number, number, number, number, number, number, number, number, number, number, number, number,
  ];
  return new THREE.Matrix4(a, d, g, x, b, e, h, y, c, f, i, z, 0, 0, 0, 1);
}
