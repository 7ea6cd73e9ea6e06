// Names of joints: the end of a name tells joints apart, so a long one is shortened from the left.

import { h } from './dom';

/** A name that is shortened where there is no room, with all of it in a tooltip. */
export function jointName(name: string): HTMLElement {
  // Text that flows from the right is cut on the left; the inner element flows as the name itself does.
  return h('span', { class: 'joint', title: name }, h('bdi', {}, name));
}

export function swatch(color: string | undefined): HTMLElement {
  const swatch = h('i', { class: 'swatch' });
  swatch.style.background = color ?? 'gray';
  return swatch;
}
