// The scene, the camera and one or two views of it.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Actor } from './actor';

/** A part of the canvas, side by side with others, and who is seen there. */
export interface View {
  title: string;
  actors: Actor[];
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
    this.views = views;
    const now = new Set(views.flatMap((view) => view.actors));
    for (const actor of before) if (!now.has(actor)) actor.root.removeFromParent();
    for (const actor of now) this.scene.add(actor.root);
    this.resize();
  }

  /** Puts all actors into the picture. */
  frame(direction: Direction): void {
    const bounds = new THREE.Box3();
    for (const view of this.views) for (const actor of view.actors) bounds.union(actor.bounds());
    if (bounds.isEmpty()) return;
    const sphere = bounds.getBoundingSphere(new THREE.Sphere());
    this.radius = Math.max(sphere.radius, 1e-6);
    const away = new THREE.Vector3(...DIRECTIONS[direction]).normalize();
    const halfAngle = THREE.MathUtils.degToRad(this.camera.fov) / 2;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (0.92 * this.radius) / Math.sin(halfAngle) / narrow;
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(away, distance);
    this.camera.near = this.radius / 100;
    this.camera.far = this.radius * 40;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.makeGrid(Math.min(bounds.min.y, 0));
    this.invalidate();
  }

  /** Turns to look at a point without moving nearer. */
  lookAt(point: THREE.Vector3): void {
    const shift = point.clone().sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
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

  /** Names of joints beside them. */
  label(labels: { actor: Actor; joint: number; text: string }[]): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    const spans: HTMLElement[] = [];
    const point = new THREE.Vector3();
    this.views.forEach((view, index) => {
      const share = 1 / this.views.length;
      for (const { actor, joint, text } of labels) {
        if (!view.actors.includes(actor)) continue;
        actor.place(joint, point).project(this.camera);
        if (point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1) continue;
        const span = document.createElement('span');
        span.textContent = text;
        span.style.left = `${(index + (point.x + 1) / 2) * share * width}px`;
        span.style.top = `${((1 - point.y) / 2) * height}px`;
        spans.push(span);
      }
      if (view.title) {
        const title = document.createElement('strong');
        title.textContent = view.title;
        title.style.left = `${index * share * width}px`;
        spans.push(title);
      }
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
