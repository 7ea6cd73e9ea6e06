// The canvas: one or several views of the scene side by side, drawn when something has changed.

import * as THREE from 'three';
import type { Actor } from './actor';
import { Camera, type Direction } from './camera';
import { Gizmo } from './gizmo';
import { Grid } from './grid';
import { Labels, TITLE_HEIGHT, type Label, type View } from './labels';
import { Marks } from './marks';
import { Smoothing, type Part } from './smoothing';

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  readonly gizmo: Gizmo;
  readonly marks = new Marks();
  private readonly renderer: THREE.WebGLRenderer;
  private readonly smoothing: Smoothing;
  private readonly scene = new THREE.Scene();
  private readonly grid = new Grid();
  private readonly labels = new Labels();
  private views: View[] = [];
  /** The number of views beside each other; further views are below them. */
  private columns = 1;
  private dirty = true;

  constructor(private readonly holder: HTMLElement) {
    // The drawing buffer is kept, so that a picture of the page can be taken at any time.
    this.renderer = new THREE.WebGLRenderer({ antialias: false, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setClearAlpha(0);
    this.smoothing = new Smoothing(this.renderer);
    this.canvas = this.renderer.domElement;
    holder.prepend(this.canvas, this.labels.root);
    this.scene.add(this.grid.root, this.marks.root);
    this.camera = new Camera(this.canvas, () => this.invalidate());
    const { view } = this.camera;
    this.gizmo = new Gizmo(view, this.canvas, this.scene, () => this.invalidate(), (is) => this.camera.hold(is));
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Makes the next frame draw the picture again. */
  invalidate(): void {
    this.dirty = true;
  }

  /** The height of the grid in world space. */
  get floor(): number {
    return this.grid.floor;
  }

  setDark(dark: boolean): void {
    this.grid.setDark(dark);
    this.invalidate();
  }

  setViews(views: View[]): void {
    const before = new Set(this.views.flatMap((view) => view.actors));
    const sameCount = views.length === this.views.length;
    this.views = views;
    const now = new Set(views.flatMap((view) => view.actors));
    for (const actor of before) if (!now.has(actor)) actor.root.removeFromParent();
    for (const actor of now) if (!actor.root.parent) this.scene.add(actor.root);
    if (sameCount) return this.invalidate();
    this.columns = Math.max(views.length, 1);
    this.resize();
  }

  /** Puts all actors into the picture, and the grid under them. */
  frame(direction: Direction): void {
    const bounds = new THREE.Box3();
    const points: THREE.Vector3[] = [];
    for (const view of this.views) {
      for (const actor of view.actors) {
        bounds.union(actor.bounds());
        points.push(...actor.outline());
      }
    }
    if (bounds.isEmpty()) return;
    this.grid.fit(bounds);
    this.camera.setRange(bounds);
    // As many views beside each other as make the figures largest.
    const count = Math.max(this.views.length, 1);
    const sizes = Array.from({ length: count }, (_, index) => this.frameIn(count - index, points, direction));
    const best = sizes.reduce((best, size, index) => (size > sizes[best]! * 1.1 ? index : best), 0);
    this.frameIn(count - best, points, direction);
    this.invalidate();
  }

  /** Frames with so many views beside each other, and returns the size of the figures: pixels for each unit of length. */
  private frameIn(columns: number, points: THREE.Vector3[], direction: Direction): number {
    this.columns = columns;
    const [{ width, height } = { width: 1, height: 1 }] = this.parts;
    const covered = this.views.some(({ title }) => title) ? Math.min(TITLE_HEIGHT / height, 0.4) : 0;
    this.camera.setAspect(width / height);
    return height / this.camera.frame(points, direction, covered);
  }

  /** The parts of the canvas for the views. */
  private get parts(): Part[] {
    const { clientWidth, clientHeight } = this.holder;
    const { columns } = this;
    const rows = Math.ceil(Math.max(this.views.length, 1) / columns);
    const edge = (index: number, count: number, size: number) => Math.round((index * size) / count);
    return this.views.map((_, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      const [left, top] = [edge(column, columns, clientWidth), edge(row, rows, clientHeight)];
      return { left, top, width: edge(column + 1, columns, clientWidth) - left, height: edge(row + 1, rows, clientHeight) - top };
    });
  }

  /** Returns whether the picture shows all changes, with smooth edges. */
  get isStill(): boolean {
    return !this.dirty && this.smoothing.isDone;
  }

  /** Draws if anything changed, and returns whether it drew. `playing` says that the next frame will change too; `labels` is called only when it draws. */
  draw(now: number, playing: boolean, labels: () => Label[]): boolean {
    this.camera.update();
    if (!this.dirty && (playing || !this.smoothing.isDue(now))) return false;
    this.dirty = false;
    const all = this.views.flatMap((view) => view.actors);
    for (const actor of all) actor.prepare();
    this.gizmo.follow();
    const { parts } = this;
    this.smoothing.draw(now, playing, parts, (index) => {
      const { actors } = this.views[index]!;
      for (const actor of all) actor.root.visible = actors.includes(actor);
      this.marks.root.visible = this.marks.actor !== null && actors.includes(this.marks.actor);
      this.renderer.render(this.scene, this.camera.view);
    });
    for (const actor of all) actor.root.visible = true;
    this.labels.place(labels(), this.views, parts, this.camera.view, this.grid.legend);
    return true;
  }

  /** Returns the ray from the camera through the pointer, in world space, and the actors of the view there. */
  rayAt(event: MouseEvent): { actors: Actor[]; ray: THREE.Ray } | null {
    const { left, top } = this.canvas.getBoundingClientRect();
    const at = { x: event.clientX - left, y: event.clientY - top };
    const { parts } = this;
    const index = parts.findIndex((part) => at.x >= part.left && at.x <= part.left + part.width && at.y >= part.top && at.y <= part.top + part.height);
    const [view, part] = [this.views[index], parts[index]];
    if (!view || !part) return null;
    const x = ((at.x - part.left) / part.width) * 2 - 1;
    const y = 1 - ((at.y - part.top) / part.height) * 2;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera.view);
    return { actors: view.actors, ray: caster.ray };
  }

  /** Returns the hitbox under the pointer: its actor, its joint, and its number among those that the actor shows. */
  pick(event: MouseEvent): { actor: Actor; joint: number; box: number } | null {
    const pointed = this.rayAt(event);
    const hits = (pointed?.actors ?? []).flatMap((actor) => {
      const hit = actor.pick(pointed!.ray);
      return hit ? [{ actor, ...hit }] : [];
    });
    return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    const [part = { width, height }] = this.parts;
    this.camera.setAspect(part.width / part.height);
    this.invalidate();
  }
}
