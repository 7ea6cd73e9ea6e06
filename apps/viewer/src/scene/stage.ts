// The canvas: one or several views of the scene side by side, drawn when something has changed.

import * as THREE from 'three';
import type { Actor } from './actor';
import { Camera, type Direction } from './camera';
import { Grid } from './grid';
import { Labels, type Label, type View } from './labels';
import { Marks } from './marks';
import { Smoothing } from './smoothing';

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  readonly marks = new Marks();
  private readonly renderer: THREE.WebGLRenderer;
  private readonly smoothing: Smoothing;
  private readonly scene = new THREE.Scene();
  private readonly grid = new Grid();
  private readonly labels = new Labels();
  private views: View[] = [];
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
    if (sameCount) this.invalidate();
    else this.resize();
  }

  /** Puts all actors into the picture, and the grid under them. */
  frame(direction: Direction): void {
    const bounds = new THREE.Box3();
    for (const view of this.views) for (const actor of view.actors) bounds.union(actor.bounds());
    if (bounds.isEmpty()) return;
    this.grid.fit(bounds);
    this.camera.setRange(bounds);
    this.camera.frame(bounds, direction);
    this.invalidate();
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
    const { clientWidth: width, clientHeight: height } = this.holder;
    const all = this.views.flatMap((view) => view.actors);
    for (const actor of all) actor.prepare();
    const edge = (index: number) => Math.round((index * width) / this.views.length);
    const parts = this.views.map((_, index) => ({ left: edge(index), width: edge(index + 1) - edge(index), height }));
    this.smoothing.draw(now, playing, parts, (index) => {
      const { actors } = this.views[index]!;
      for (const actor of all) actor.root.visible = actors.includes(actor);
      this.marks.root.visible = this.marks.actor !== null && actors.includes(this.marks.actor);
      this.renderer.render(this.scene, this.camera.view);
    });
    for (const actor of all) actor.root.visible = true;
    this.labels.place(labels(), this.views, this.camera.view, this.grid.legend, { width, height });
    return true;
  }

  /** Returns the ray from the camera through the pointer, in world space, and the actors of the view there. */
  rayAt(event: MouseEvent): { actors: Actor[]; ray: THREE.Ray } | null {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const index = Math.min(Math.floor(share * this.views.length), this.views.length - 1);
    const view = this.views[index];
    if (!view) return null;
    const x = (share * this.views.length - index) * 2 - 1;
    const y = 1 - ((event.clientY - top) / height) * 2;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera.view);
    return { actors: view.actors, ray: caster.ray };
  }

  /** Returns the actor and the joint whose hitbox is under the pointer. */
  pick(event: MouseEvent): { actor: Actor; joint: number } | null {
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
    this.camera.setAspect(width / Math.max(this.views.length, 1) / height);
    this.invalidate();
  }
}
