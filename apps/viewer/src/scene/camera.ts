// The camera, its control by the user, and its moves to a box or a point.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const DIRECTIONS = ['front', 'side', 'top', 'iso'] as const;
export type Direction = (typeof DIRECTIONS)[number];

const TOWARD: Record<Direction, [number, number, number]> = {
  front: [0, 0.06, 1],
  side: [1, 0.06, 0],
  top: [0, 1, 0.001],
  iso: [0.6, 0.3, 0.75],
};

/** Vertical field of view, in degrees. */
const FIELD = 32;

/** A framed scene is this many times smaller than the picture. */
const MARGIN = 1.12;

/** Six numbers: the camera's position and the point that it looks at, in world space. */
export type Pose = [number, number, number, number, number, number];

export class Camera {
  readonly view = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
  /** Called when the user stops moving the camera. */
  onMoved: () => void = () => {};
  private readonly controls: OrbitControls;
  /** Half the diagonal of the box that was framed last, in world units. */
  private radius = 1;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.controls = new OrbitControls(this.view, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('end', () => this.onMoved());
  }

  /** Continues a motion after the user has released the pointer; call this for each frame. */
  update(): void {
    this.controls.update();
  }

  /** Keeps the camera where it is while something else follows the pointer. */
  hold(isHeld: boolean): void {
    this.controls.enabled = !isHeld;
  }

  /** Sets the width of one view divided by its height. */
  setAspect(aspect: number): void {
    this.view.aspect = aspect;
    this.view.updateProjectionMatrix();
  }

  /** The unit vector from the target to the camera. */
  get direction(): THREE.Vector3 {
    return this.view.position.clone().sub(this.controls.target).normalize();
  }

  get pose(): Pose {
    return [...this.view.position.toArray(), ...this.controls.target.toArray()];
  }

  set pose(pose: Pose) {
    this.view.position.fromArray(pose);
    this.controls.target.fromArray(pose, 3);
    this.controls.update();
  }

  /** Sets the nearest and the farthest visible distance from the size of the scene. */
  setRange(bounds: THREE.Box3): void {
    this.radius = Math.max(bounds.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    this.view.near = this.radius / 100;
    this.view.far = this.radius * 40;
    this.view.updateProjectionMatrix();
  }

  /**
   * Moves the camera so that points fill the picture, seen from a direction, without the share `covered` at the top of the picture.
   * Returns the distance.
   */
  frame(points: THREE.Vector3[], from: Direction, covered = 0): number {
    const center = new THREE.Box3().setFromPoints(points).getCenter(new THREE.Vector3());
    const away = new THREE.Vector3(...TOWARD[from]).normalize();
    this.controls.target.copy(center);
    this.view.position.copy(center).add(away);
    this.view.lookAt(center);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.view.fov) / 2) / MARGIN;
    const across = this.fit(points, center, tangent * this.view.aspect, 'x');
    const up = this.fit(points, center, tangent * (1 - covered), 'y');
    const distance = Math.max(across.distance, up.distance, 1e-6);
    this.view.position.copy(center).addScaledVector(away, distance);
    // The points are in the middle of what is not covered.
    const below = distance * tangent * covered;
    this.shift(new THREE.Vector3(across.middle, up.middle + below, 0).applyQuaternion(this.view.quaternion));
    return distance;
  }

  /** Moves the camera and the point that it looks at. */
  shift(by: THREE.Vector3): void {
    this.controls.target.add(by);
    this.view.position.add(by);
    this.controls.update();
  }

  /** Looks at a point from a direction, at the distance at which a sphere of `radius` around it fills the picture. */
  lookAt(point: THREE.Vector3, direction: THREE.Vector3, radius: number): void {
    const halfAngle = THREE.MathUtils.degToRad(this.view.fov) / 2;
    const distance = radius / Math.sin(halfAngle) / Math.min(1, this.view.aspect);
    this.controls.target.copy(point);
    this.view.position.copy(point).addScaledVector(direction, distance);
    this.controls.update();
  }

  /**
   * Returns the least distance from `center` at which all points are between two opposite sides of the picture, and the place of the
   * picture's middle then, both in the present direction. `tangent` is that of the angle from the middle to a side.
   */
  private fit(points: THREE.Vector3[], center: THREE.Vector3, tangent: number, axis: 'x' | 'y'): { distance: number; middle: number } {
    const toCamera = this.view.quaternion.clone().invert();
    let [low, high] = [-Infinity, -Infinity];
    const seen = new THREE.Vector3();
    for (const point of points) {
      seen.copy(point).sub(center).applyQuaternion(toCamera);
      low = Math.max(low, seen.z - seen[axis] / tangent);
      high = Math.max(high, seen.z + seen[axis] / tangent);
    }
    return { distance: (low + high) / 2, middle: ((high - low) / 2) * tangent };
  }
}
