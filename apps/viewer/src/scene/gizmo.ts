// The handles that move, turn and scale hitboxes.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

/** A change in world space since the handles were taken. */
export type GizmoChange =
  | { kind: 'move'; by: THREE.Vector3 }
  | { kind: 'turn'; by: THREE.Quaternion; about: THREE.Vector3 }
  | { kind: 'scale'; by: [number, number, number] };

const MODES = { move: 'translate', turn: 'rotate', scale: 'scale' } as const;

export class Gizmo {
  /** Called when the user takes the handles, moves them, and lets go. */
  onBegin: () => void = () => {};
  onChange: (change: GizmoChange) => void = () => {};
  onEnd: () => void = () => {};
  private readonly controls: TransformControls;
  private readonly proxy = new THREE.Object3D();
  private readonly start = { position: new THREE.Vector3(), turn: new THREE.Quaternion() };
  private place: (() => THREE.Matrix4) | null = null;
  private mode: keyof typeof MODES = 'move';

  /** `dragging` is called with true when the handles are taken, and with false when they are let go. */
  constructor(camera: THREE.Camera, canvas: HTMLCanvasElement, scene: THREE.Scene, invalidate: () => void, dragging: (is: boolean) => void) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.setSpace('local');
    this.controls.setSize(0.8);
    scene.add(this.proxy, this.controls.getHelper());
    this.controls.addEventListener('change', invalidate);
    this.controls.addEventListener('dragging-changed', ({ value }) => {
      dragging(Boolean(value));
      if (value) {
        this.start.position.copy(this.proxy.position);
        this.start.turn.copy(this.proxy.quaternion);
        this.onBegin();
      } else {
        this.onEnd();
        this.follow();
        invalidate();
      }
    });
    this.controls.addEventListener('objectChange', () => this.onChange(this.change));
  }

  /** Shows the handles at a place: a function that returns the present transform of the hitbox to world space. `null` hides them. */
  show(mode: keyof typeof MODES, place: (() => THREE.Matrix4) | null): void {
    this.mode = mode;
    this.place = place;
    this.controls.setMode(MODES[mode]);
    if (place) {
      this.follow();
      this.controls.attach(this.proxy);
    } else {
      this.controls.detach();
    }
  }

  /** Moves the handles with their hitbox, unless the user holds them. */
  follow(): void {
    if (!this.place || this.controls.dragging) return;
    this.place().decompose(this.proxy.position, this.proxy.quaternion, this.proxy.scale);
    this.proxy.scale.setScalar(1);
    this.proxy.updateMatrixWorld();
  }

  /** Returns whether the pointer is on a handle. */
  get isPointed(): boolean {
    return this.place !== null && this.controls.axis !== null;
  }

  private get change(): GizmoChange {
    const { position, quaternion, scale } = this.proxy;
    if (this.mode === 'move') return { kind: 'move', by: position.clone().sub(this.start.position) };
    if (this.mode === 'scale') return { kind: 'scale', by: scale.toArray() };
    return { kind: 'turn', by: quaternion.clone().multiply(this.start.turn.clone().invert()), about: this.start.position.clone() };
  }
}
