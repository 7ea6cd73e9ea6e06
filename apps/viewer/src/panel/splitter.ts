// The edge between the picture and the panel. Dragging it makes the panel wider or narrower.

import { h } from '../dom';

/** The key under which the browser stores the width. */
const KEY = 'bonebox panel width';

/** The narrowest panel, and the narrowest picture, in CSS pixels. */
const LEAST = 280;

/** A press of an arrow key moves the edge by this, in CSS pixels. */
const STEP = 24;

/** Sets `--panel-width` of the grid. */
export function splitter(grid: HTMLElement): HTMLElement {
  const set = (width: number) => {
    const bounded = Math.round(Math.max(LEAST, Math.min(width, grid.clientWidth - LEAST)));
    grid.style.setProperty('--panel-width', `${bounded}px`);
    edge.setAttribute('aria-valuenow', String(bounded));
    try {
      localStorage.setItem(KEY, String(bounded));
    } catch {
      // A page without storage (a report in some browsers) keeps the width until it is closed.
    }
  };
  const width = () => grid.getBoundingClientRect().right - edge.getBoundingClientRect().right;
  const edge = h('div', { class: 'splitter', role: 'separator', tabIndex: 0, title: 'Drag to resize the panel', 'aria-orientation': 'vertical', 'aria-label': 'Width of the panel' });
  edge.addEventListener('pointerdown', (event) => {
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener('pointermove', (event) => {
    if (edge.hasPointerCapture(event.pointerId)) set(grid.getBoundingClientRect().right - event.clientX);
  });
  edge.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    set(width() + (event.key === 'ArrowLeft' ? STEP : -STEP));
  });
  try {
    const kept = Number(localStorage.getItem(KEY));
    if (kept > 0) grid.style.setProperty('--panel-width', `${kept}px`);
  } catch {
    // The page has no storage, as above.
  }
  return edge;
}
