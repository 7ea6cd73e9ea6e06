// Principal axes of inertia tensors.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { RagdollBody } from '../data/baked';

/** The moments of inertia about the principal axes in kg m², and the rotation of the body's axes to these (`body_from_axes`). */
export interface PrincipalInertia {
  moments: Vector3;
  rotation: Quaternion;
}

/** Rotations of pairs of axes until nothing is left beside the diagonal. Three sweeps are enough for `f32`. */
const SWEEPS = 8;

/** Finds the principal axes of an inertia tensor (xx, yy, zz, xy, xz, yz), by Jacobi's method. */
export function principalInertia([xx, yy, zz, xy, xz, yz]: RagdollBody['inertia']): PrincipalInertia {
  const tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] as [number, number, number][];
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as [number, number, number][];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [a, b] of [[0, 1], [0, 2], [1, 2]] as const) {
      const off = tensor[a]![b]!;
      if (off === 0) continue;
      const angle = 0.5 * Math.atan2(2 * off, tensor[b]![b]! - tensor[a]![a]!);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      // Columns a and b of both matrices, then rows a and b of the tensor.
      for (const row of [...tensor, ...axes]) [row[a], row[b]] = [c * row[a]! - s * row[b]!, s * row[a]! + c * row[b]!];
      for (const column of [0, 1, 2] as const) {
        const [p, q] = [tensor[a]![column]!, tensor[b]![column]!];
        [tensor[a]![column], tensor[b]![column]] = [c * p - s * q, s * p + c * q];
      }
    }
  }
  const column = (index: 0 | 1 | 2) => new Vector3(axes[0]![index], axes[1]![index], axes[2]![index]);
  const rotation = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(column(0), column(1), column(2)));
  return { moments: new Vector3(tensor[0]![0], tensor[1]![1], tensor[2]![2]), rotation: rotation.normalize() };
}
