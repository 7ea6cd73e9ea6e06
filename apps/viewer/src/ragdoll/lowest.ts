// The lowest point of a ragdoll.

import { Quaternion, Vector3 } from 'three';
import type { BodyShape } from '../data/types';
import type { Place } from './rig';

/** Returns the height of the lowest point of the bodies' shapes in the world. */
export function lowestPoint(shapes: BodyShape[][], places: Place[]): number {
  return Math.min(...shapes.flatMap((own, body) => own.map((shape) => lowestOf(shape, places[body]!))));
}

function lowestOf(shape: BodyShape, { position, rotation }: Place): number {
  const center = new Vector3(...shape.center).applyQuaternion(rotation).add(position);
  const down = new Vector3(0, -1, 0).applyQuaternion(rotation.clone().multiply(new Quaternion(...shape.rotation)).invert());
  return center.y - extent(shape, down);
}

/** How far a shape reaches from its center in a direction along its own axes. */
function extent(shape: BodyShape, direction: Vector3): number {
  if ('sphere' in shape) return shape.sphere;
  if ('capsule' in shape) return shape.capsule.half_length * Math.abs(direction.y) + shape.capsule.radius;
  if ('hull' in shape) return Math.max(...shape.hull.map((vertex) => direction.dot(new Vector3(...vertex))));
  return shape.box.reduce((sum, half, axis) => sum + half * Math.abs(direction.getComponent(axis)), 0);
}
