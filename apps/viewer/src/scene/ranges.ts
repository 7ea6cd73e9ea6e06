// Draws how far the bodies of a ragdoll may turn: a cone for the swing of a ball joint, an arc for its twist, a fan for a hinge, and a
// line along each body, which is red while the body is past its limits.

import * as THREE from 'three';
import type { RagdollBody, Vec3 } from '../data/baked';
import type { Place } from '../ragdoll/rig';
import { pastLimits, swingTwist, turnAbout, turnOf } from '../ragdoll/swingTwist';
import { overlay } from './look';

export const RANGE_COLORS = { swing: '#8957e5', twist: '#d98200', hinge: '#0a9396', inside: '#1f9d3a', outside: '#ff2d3f' } as const;
type RangeColor = keyof typeof RANGE_COLORS;

/** The number of segments of each side of a cone, and of an arc. */
const SIDE = 8;
const ARC = 24;
/** Opacity of faces, and of everything that belongs to a body which is not selected while another one is. */
const FACE = 0.22;
const DIM = 0.3;
/** The center and the radius of the arc of a twist, as shares of the length of the line. */
const TWIST = { center: 0.6, radius: 0.3 };

/** The angle past a limit from which a line is red, in radians: a body that leans on its limit is always a little past it. */
export const PAST = Math.PI / 180;

const VERTEX = `
attribute vec4 rangeColor;
varying vec4 vColor;
void main() {
  vColor = rangeColor;
  gl_PointSize = 6.0;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

/** Positions and colors of a draw call. */
class Strokes {
  readonly geometry = new THREE.BufferGeometry();
  private positions: number[] = [];
  private colors: number[] = [];

  clear(): void {
    this.positions = [];
    this.colors = [];
  }

  add(color: THREE.Vector4, ...points: THREE.Vector3[]): void {
    for (const point of points) {
      this.positions.push(...point.toArray());
      this.colors.push(...color.toArray());
    }
  }

  /** Hands the points to the graphics card. Their number is the same in each pose. */
  write(): void {
    for (const [name, numbers, width] of [['position', this.positions, 3], ['rangeColor', this.colors, 4]] as const) {
      const known = this.geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (known?.array.length === numbers.length) {
        known.array.set(numbers);
        known.needsUpdate = true;
      } else {
        this.geometry.setAttribute(name, new THREE.Float32BufferAttribute(numbers, width));
      }
    }
  }
}

export class Ranges {
  /** Add this below a node without a transform: its points are in world space. */
  readonly root = new THREE.Group();
  /** The bodies that are more than a degree past their limits in the pose that was drawn last. */
  outside: ReadonlySet<number> = new Set();
  /** The selected body; `null` draws all alike. */
  selected: number | null = null;
  private readonly faces = new Strokes();
  private readonly lines = new Strokes();
  private readonly tips = new Strokes();
  private readonly objects: (THREE.Points | ReturnType<typeof overlay>)[];

  /** `size` is the largest extent of the figure in meters. */
  constructor(
    private readonly bodies: RagdollBody[],
    private readonly size: number,
  ) {
    const lines = overlay(this.lines.geometry, VERTEX, 'edges', true);
    const tips = new THREE.Points(this.tips.geometry, lines.material);
    this.objects = [overlay(this.faces.geometry, VERTEX, 'faces', true), lines, tips];
    this.objects.forEach((object, index) => {
      (object.material as THREE.Material).side = THREE.DoubleSide;
      object.frustumCulled = false;
      object.matrixWorldAutoUpdate = false;
      object.renderOrder = 5 + index;
      this.root.add(object);
    });
    this.root.visible = false;
  }

  /** Moves everything to the places of the bodies in the world. */
  follow(places: Place[]): void {
    if (!this.root.visible) return;
    const parts = [this.faces, this.lines, this.tips];
    parts.forEach((part) => part.clear());
    const outside = new Set<number>();
    this.bodies.forEach((body, index) => this.draw(body, index, places, outside));
    this.outside = outside;
    parts.forEach((part) => part.write());
  }

  dispose(): void {
    this.root.removeFromParent();
    for (const { geometry, material } of this.objects) {
      geometry.dispose();
      (material as THREE.Material).dispose();
    }
  }

  private draw({ constraint, center_of_mass }: RagdollBody, index: number, places: Place[], outside: Set<number>): void {
    if (!constraint) return;
    const [parent, child] = [places[constraint.parent]!, places[index]!];
    const turn = turnOf(parent.rotation, child.rotation, constraint);
    const past = pastLimits(turn, constraint);
    const [isTwisted, isSwung] = [past.twist > PAST, past.swing > PAST];
    if (isTwisted || isSwung) outside.add(index);
    const frame = parent.rotation.clone().multiply(new THREE.Quaternion(...constraint.parent_from_frame));
    const length = this.lengthOf(center_of_mass);
    const at = (direction: THREE.Vector3, share = 1) => direction.clone().applyQuaternion(frame).multiplyScalar(length * share).add(child.position);
    const color = (name: RangeColor, opacity: number) => {
      const { r, g, b } = new THREE.Color(RANGE_COLORS[name]).convertLinearToSRGB();
      return new THREE.Vector4(r, g, b, this.selected === null || this.selected === index ? opacity : DIM * opacity);
    };
    const line = (name: RangeColor, from: THREE.Vector3, to: THREE.Vector3) => this.lines.add(color(name, 1), from, to);
    const sector = (name: RangeColor, center: THREE.Vector3, rim: THREE.Vector3[], isClosed: boolean) => {
      for (let i = 1; i < rim.length; i++) {
        this.faces.add(color(name, FACE), center, rim[i - 1]!, rim[i]!);
        line(name, rim[i - 1]!, rim[i]!);
      }
      if (!isClosed) for (const end of [rim[0]!, rim.at(-1)!]) line(name, center, end);
    };
    const [limitX] = constraint.limits;
    const arc = [...Array(ARC + 1).keys()].map((step) => limitX * ((2 * step) / ARC - 1));
    if (constraint.kind === 'hinge') {
      const direction = hingeDirection(constraint.body_from_frame, center_of_mass);
      sector('hinge', child.position, arc.map((angle) => at(direction.clone().applyQuaternion(turnAbout([angle, 0, 0])))), false);
      this.mark(child.position, at(direction.applyQuaternion(turn), 1.15), color(isTwisted ? 'outside' : 'inside', 1));
      return;
    }
    const rim = swingRim(constraint.limits).map((direction) => at(direction));
    sector('swing', child.position, rim, true);
    for (let corner = 0; corner < 4; corner++) line('swing', child.position, rim[corner * SIDE]!);
    const now = new THREE.Vector3(1, 0, 0).applyQuaternion(turn);
    this.mark(child.position, at(now, 1.15), color(isSwung ? 'outside' : 'inside', 1));
    const { y, z } = swingTwist(turn);
    const swing = turnAbout([0, y, z]);
    const around = (angle: number, radius: number) =>
      at(now.clone().multiplyScalar(TWIST.center).addScaledVector(new THREE.Vector3(0, Math.cos(angle), Math.sin(angle)).applyQuaternion(swing), radius));
    sector('twist', at(now, TWIST.center), arc.map((angle) => around(angle, TWIST.radius)), false);
    const { twist } = swingTwist(turn);
    this.mark(at(now, TWIST.center), around(twist, 1.2 * TWIST.radius), color(isTwisted ? 'outside' : 'inside', 1));
  }

  /** Draws a line with a dot at its tip. */
  private mark(from: THREE.Vector3, tip: THREE.Vector3, color: THREE.Vector4): void {
    this.lines.add(color, from, tip);
    this.tips.add(color, tip);
  }

  /** The length of the line along a body: somewhat more than to its center of mass, but neither tiny nor in the way of others. */
  private lengthOf(center: Vec3): number {
    return Math.min(Math.max(1.4 * Math.hypot(...center), 0.05 * this.size), 0.14 * this.size);
  }
}

/**
 * Returns the directions of axis x at the limits of the swing, in the parent's frame: around the pyramid of all swing vectors with
 * |y| and |z| within the limits. The first direction is also the last.
 */
export function swingRim([, limitY, limitZ]: Vec3): THREE.Vector3[] {
  const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]] as const;
  const rim = corners.slice(1).flatMap(([toY, toZ], side) => {
    const [fromY, fromZ] = corners[side]!;
    return [...Array(SIDE).keys()].map((step) => [fromY + ((toY - fromY) * step) / SIDE, fromZ + ((toZ - fromZ) * step) / SIDE] as const);
  });
  return [...rim, corners[0]].map(([y, z]) => new THREE.Vector3(1, 0, 0).applyQuaternion(turnAbout([0, y * limitY, z * limitZ])));
}

/** Returns the direction along a body at right angles to the axis of its hinge, in the child's frame. */
function hingeDirection(bodyFromFrame: [number, number, number, number], center: Vec3): THREE.Vector3 {
  const direction = new THREE.Vector3(...center).applyQuaternion(new THREE.Quaternion(...bodyFromFrame).invert()).setX(0);
  return direction.lengthSq() > 0 ? direction.normalize() : new THREE.Vector3(0, 1, 0);
}
