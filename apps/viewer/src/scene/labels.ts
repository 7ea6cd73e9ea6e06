// Labels over the picture: names of joints, titles of views, and the length of the grid's squares.

import * as THREE from 'three';
import { h } from '../dom';
import type { Actor } from './actor';
import type { Part } from './smoothing';

/** A label beside a joint. */
export interface Label {
  actor: Actor;
  joint: number;
  text: string;
  /** The place of the label in world space; without it, the label is at the joint's first hitbox. */
  at?: [number, number, number];
}

/** A part of the canvas, beside the other parts, and its actors. */
export interface View {
  title: string;
  /** The text under the title: figures, or a message of progress. */
  note?: string;
  /** True if the page waits for the view's bake. */
  waiting?: boolean;
  actors: Actor[];
}

/** The place of a view's title below the top of the view, in CSS pixels. */
const TITLE_TOP = 8;

/** The height that a title takes from the top of its view, in CSS pixels. */
export const TITLE_HEIGHT = 52;

export class Labels {
  readonly root = h('div', { class: 'labels', 'aria-hidden': 'true' });
  private shown = '';

  /** Puts each label beside its joint. If labels would cover each other, only the first is shown. */
  place(labels: Label[], views: View[], parts: Part[], camera: THREE.Camera, legend: string): void {
    const spans: Element[] = [];
    const point = new THREE.Vector3();
    views.forEach((view, index) => {
      const { left, top, width, height } = parts[index]!;
      const taken: { x: number; y: number; half: number }[] = [];
      for (const { actor, joint, text, at } of labels) {
        if (!view.actors.includes(actor)) continue;
        if (at) point.set(...at);
        else actor.place(joint, point);
        point.project(camera);
        if (point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1) continue;
        // A label with a place is beside the dot, any other label is on its hitbox.
        const above = at ? 22 : 0;
        const [x, y] = [left + ((point.x + 1) / 2) * width, top + ((1 - point.y) / 2) * height - above];
        const half = 4 + 3.2 * text.length;
        if (taken.some((other) => Math.abs(other.y - y) < 16 && Math.abs(other.x - x) < other.half + half)) continue;
        taken.push({ x, y, half });
        spans.push(h('span', { style: `left: ${x.toFixed(1)}px; top: ${y.toFixed(1)}px` }, text));
      }
      if (view.title) spans.push(title(view, parts[index]!));
    });
    if (legend) spans.push(h('div', { class: 'legend' }, legend));
    // Texts that do not change are not written again, because a change makes the browser draw the whole page.
    const text = spans.map((span) => span.outerHTML).join('');
    if (text === this.shown) return;
    this.shown = text;
    this.root.replaceChildren(...spans);
  }
}

function title({ title, note, waiting }: View, { left, top, width }: Part): HTMLElement {
  const style = `left: ${left}px; top: ${top + TITLE_TOP}px; max-width: ${width - 20}px`;
  return h('div', { class: waiting ? 'view-title waiting' : 'view-title', style }, h('strong', {}, title), h('small', {}, note));
}
