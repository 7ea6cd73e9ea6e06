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

  /** Moves the camera so that a box fills the picture, seen from a direction. */
  frame(bounds: THREE.Box3, from: Direction): void {
    const center = bounds.getCenter(new THREE.Vector3());
    const away = new THREE.Vector3(...TOWARD[from]).normalize();
    this.controls.target.copy(center);
    this.view.position.copy(center).add(away);
    this.view.lookAt(center);
    this.view.position.copy(center).addScaledVector(away, 1.04 * this.distanceFor(bounds));
    this.controls.update();
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

  /** Returns the distance from the center of a box at which the whole box is in the picture, in the present direction. */
  private distanceFor(bounds: THREE.Box3): number {
    const half = bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.view.fov) / 2);
    const toCamera = this.view.quaternion.clone().invert();
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const side = (axis: number) => ((corner >> axis) & 1 ? 1 : -1);
      const seen = new THREE.Vector3(side(0), side(1), side(2)).multiply(half).applyQuaternion(toCamera);
      const across = Math.max(Math.abs(seen.y), Math.abs(seen.x) / this.view.aspect) / tangent;
      distance = Math.max(distance, across + seen.z);
    }
    return Math.max(distance, 1e-6);
  }
}
