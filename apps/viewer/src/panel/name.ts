// Names of joints. The end of a name tells joints apart, so a long name is shortened on the left.

import { h } from '../dom';

/** Creates an element with a name. A name that does not fit is shortened, and a tooltip shows the whole name. */
export function jointName(name: string): HTMLElement {
  // A right-to-left text is cut on the left; the inner element keeps the direction of the name.
  return h('span', { class: 'joint', title: name }, h('bdi', {}, name));
}

export function swatch(color: string | undefined): HTMLElement {
  return h('i', { class: 'swatch', style: `background: ${color ?? 'gray'}` });
}
