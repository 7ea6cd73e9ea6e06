// The scene, the camera and one or two views of it.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Actor } from './actor';

/** A part of the canvas, side by side with others, and who is seen there. */
export interface View {
  title: string;
  /** Under the title: figures, or what is awaited. */
  note?: string;
  /** Whether it is awaited. */
  waiting?: boolean;
  actors: Actor[];
}

/** Words beside a joint. */
export interface Label {
  actor: Actor;
  joint: number;
  text: string;
  /** World space; where it is not there, the joint's first box. */
  at?: [number, number, number];
}

export type Direction = 'front' | 'side' | 'top' | 'iso';

const DIRECTIONS: Record<Direction, [number, number, number]> = {
  front: [0, 0.06, 1],
  side: [1, 0.06, 0],
  top: [0, 1, 0.001],
  iso: [0.6, 0.3, 0.75],
};

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly lights = new THREE.Group();
  private grid: THREE.GridHelper | null = null;
  private views: View[] = [];
  private radius = 1;
  private dirty = true;
  private dark = false;

  constructor(
    private readonly holder: HTMLElement,
    private readonly overlay: HTMLElement,
  ) {
    // Kept, so that a picture can be taken of the page at any time.
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    holder.prepend(this.canvas);
    const key = new THREE.DirectionalLight(0xffffff, 2.2);
    key.position.set(-1.5, 3, 2.5);
    const fill = new THREE.DirectionalLight(0xdfe8ff, 0.7);
    fill.position.set(3, 0.5, 1);
    this.lights.add(key, fill, new THREE.HemisphereLight(0xffffff, 0x9a948c, 1.1));
    this.scene.add(this.lights);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener('change', () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Something changed: draw again at the next frame. */
  invalidate(): void {
    this.dirty = true;
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.makeGrid();
    this.invalidate();
  }

  setViews(views: View[]): void {
    const before = new Set(this.views.flatMap((view) => view.actors));
    const sameCount = views.length === this.views.length;
    this.views = views;
    const now = new Set(views.flatMap((view) => view.actors));
    for (const actor of before) if (!now.has(actor)) actor.root.removeFromParent();
    for (const actor of now) if (!actor.root.parent) this.scene.add(actor.root);
    if (sameCount) this.invalidate();
    else this.resize();
  }

  /** Puts all actors into the picture. */
  frame(direction: Direction): void {
    const bounds = new THREE.Box3();
    for (const view of this.views) for (const actor of view.actors) bounds.union(actor.bounds());
    if (bounds.isEmpty()) return;
    const center = bounds.getCenter(new THREE.Vector3());
    this.radius = Math.max(bounds.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    const away = new THREE.Vector3(...DIRECTIONS[direction]).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).add(away);
    this.camera.lookAt(center);
    this.camera.position.copy(center).addScaledVector(away, 1.04 * this.distanceFor(bounds));
    this.camera.near = this.radius / 100;
    this.camera.far = this.radius * 40;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.makeGrid(Math.min(bounds.min.y, 0));
    this.invalidate();
  }

  /** How far from its middle the whole of a box is in the picture, from where the camera looks. */
  private distanceFor(bounds: THREE.Box3): number {
    const half = bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2);
    const toCamera = this.camera.quaternion.clone().invert();
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const side = (axis: number) => ((corner >> axis) & 1 ? 1 : -1);
      const seen = new THREE.Vector3(side(0), side(1), side(2)).multiply(half).applyQuaternion(toCamera);
      const across = Math.max(Math.abs(seen.y), Math.abs(seen.x) / this.camera.aspect) / tangent;
      distance = Math.max(distance, across + seen.z);
    }
    return Math.max(distance, 1e-6);
  }

  /** Away from what is looked at, to where it is looked at from. */
  get direction(): THREE.Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** Looks at a point from a direction, as near as makes `radius` around it fill the picture. */
  lookAt(point: THREE.Vector3, direction: THREE.Vector3, radius: number): void {
    const halfAngle = THREE.MathUtils.degToRad(this.camera.fov) / 2;
    const distance = radius / Math.sin(halfAngle) / Math.min(1, this.camera.aspect);
    this.controls.target.copy(point);
    this.camera.position.copy(point).addScaledVector(direction, distance);
    this.controls.update();
    this.invalidate();
  }

  /** Draws if anything changed; says whether it did. */
  draw(): boolean {
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    const { clientWidth: width, clientHeight: height } = this.holder;
    this.renderer.setScissorTest(true);
    this.renderer.setClearAlpha(0);
    const all = this.views.flatMap((view) => view.actors);
    for (const actor of all) actor.prepare();
    this.views.forEach((view, index) => {
      const left = Math.round((index * width) / this.views.length);
      const right = Math.round(((index + 1) * width) / this.views.length);
      for (const actor of all) actor.root.visible = view.actors.includes(actor);
      this.renderer.setViewport(left, 0, right - left, height);
      this.renderer.setScissor(left, 0, right - left, height);
      this.renderer.render(this.scene, this.camera);
    });
    for (const actor of all) actor.root.visible = true;
    return true;
  }

  /** The actor and joint whose box is under the pointer. */
  pick(event: MouseEvent): { actor: Actor; joint: number } | null {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const index = Math.min(Math.floor(share * this.views.length), this.views.length - 1);
    const view = this.views[index];
    if (!view) return null;
    const x = (share * this.views.length - index) * 2 - 1;
    const y = 1 - ((event.clientY - top) / height) * 2;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    for (const actor of view.actors) {
      const joint = actor.pick(ray);
      if (joint !== null) return { actor, joint };
    }
    return null;
  }

  /** Names of joints beside them, the first of those that would cover each other; titles over the views. */
  label(labels: Label[]): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    const spans: HTMLElement[] = [];
    const point = new THREE.Vector3();
    const share = 1 / Math.max(this.views.length, 1);
    this.views.forEach((view, index) => {
      const taken: { x: number; y: number; half: number }[] = [];
      for (const { actor, joint, text, at } of labels) {
        if (!view.actors.includes(actor)) continue;
        if (at) point.set(...at);
        else actor.place(joint, point);
        point.project(this.camera);
        if (point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1) continue;
        // Beside a dot, on a box.
        const above = at ? 22 : 0;
        const [x, y] = [(index + (point.x + 1) / 2) * share * width, ((1 - point.y) / 2) * height - above];
        const half = 4 + 3.2 * text.length;
        if (taken.some((other) => Math.abs(other.y - y) < 16 && Math.abs(other.x - x) < other.half + half)) continue;
        taken.push({ x, y, half });
        const span = document.createElement('span');
        span.textContent = text;
        span.style.left = `${x}px`;
        span.style.top = `${y}px`;
        spans.push(span);
      }
      if (view.title) spans.push(title(view, index * share * width, share * width));
    });
    this.overlay.replaceChildren(...spans);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / Math.max(this.views.length, 1) / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private makeGrid(floor = this.grid?.position.y ?? 0): void {
    if (this.grid) {
      this.grid.removeFromParent();
      this.grid.dispose();
    }
    // Squares of 1, 2 or 5 times a power of ten, a few across the character.
    const power = 10 ** Math.floor(Math.log10(this.radius / 3));
    const step = power * ([5, 2, 1].find((factor) => factor * power <= this.radius / 3) ?? 1);
    const color = this.dark ? 0x3a3f47 : 0xd4d6da;
    this.grid = new THREE.GridHelper(step * 20, 20, color, color);
    this.grid.position.y = floor;
    this.scene.add(this.grid);
  }
}

function title({ title, note, waiting }: View, left: number, width: number): HTMLElement {
  const element = document.createElement('div');
  element.className = waiting ? 'view-title waiting' : 'view-title';
  element.style.left = `${left}px`;
  element.style.maxWidth = `${width - 20}px`;
  const name = document.createElement('strong');
  name.textContent = title;
  const text = document.createElement('small');
  text.textContent = note ?? '';
  element.append(name, text);
  return element;
}
