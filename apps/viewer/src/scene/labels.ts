// Words over the picture: names of joints, titles of views, the length of a square of the grid.

import * as THREE from 'three';
import type { Actor } from './actor';

/** Words beside a joint. */
export interface Label {
  actor: Actor;
  joint: number;
  text: string;
  /** World space; without it the words are at the joint's first hitbox. */
  at?: [number, number, number];
}

/** A part of the canvas, side by side with others, and who is seen there. */
export interface View {
  title: string;
  /** Under the title: figures, or what is awaited. */
  note?: string;
  /** Whether its bake is awaited. */
  waiting?: boolean;
  actors: Actor[];
}

export class Labels {
  readonly root = document.createElement('div');
  private shown = '';

  constructor() {
    this.root.className = 'labels';
    this.root.setAttribute('aria-hidden', 'true');
  }

  /** Puts each label beside its joint; of labels that would cover each other, the first is shown. */
  place(labels: Label[], views: View[], camera: THREE.Camera, legend: string, size: { width: number; height: number }): void {
    const spans: Element[] = [];
    const point = new THREE.Vector3();
    const share = 1 / Math.max(views.length, 1);
    const { width, height } = size;
    views.forEach((view, index) => {
      const taken: { x: number; y: number; half: number }[] = [];
      for (const { actor, joint, text, at } of labels) {
        if (!view.actors.includes(actor)) continue;
        if (at) point.set(...at);
        else actor.place(joint, point);
        point.project(camera);
        if (point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1) continue;
        // Beside a dot, on a hitbox.
        const above = at ? 22 : 0;
        const [x, y] = [(index + (point.x + 1) / 2) * share * width, ((1 - point.y) / 2) * height - above];
        const half = 4 + 3.2 * text.length;
        if (taken.some((other) => Math.abs(other.y - y) < 16 && Math.abs(other.x - x) < other.half + half)) continue;
        taken.push({ x, y, half });
        const span = document.createElement('span');
        span.textContent = text;
        span.style.left = `${x.toFixed(1)}px`;
        span.style.top = `${y.toFixed(1)}px`;
        spans.push(span);
      }
      if (view.title) spans.push(title(view, index * share * width, share * width));
    });
    if (legend) spans.push(legendOf(legend));
    // What says the same is left alone: a change makes the browser draw all of the page again.
    const text = spans.map((span) => span.outerHTML).join('');
    if (text === this.shown) return;
    this.shown = text;
    this.root.replaceChildren(...spans);
  }
}

function legendOf(text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'legend';
  element.textContent = text;
  return element;
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
