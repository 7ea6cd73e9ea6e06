// The list of the worst escapes; a click on an entry jumps to its moment.

import { percent } from '../data/units';
import { button, h } from '../dom';
import type { Loaded } from '../state/library';
import type { Page, VisitedEscape } from '../state/page';
import type { Actions } from './actions';
import { jointName, swatch } from './name';

/** The number of entries that are shown at first. */
const FEW = 6;

/** Writes the clip and the time of an escape. */
export function whenIs({ clip, time }: VisitedEscape): string {
  return clip === null ? 'rest pose' : `${clip}, ${time.toFixed(2)} s`;
}

/**
 * Returns the worst escapes, one for each joint. A baked file without a surface and the preset `always` have no escapes of
 * single joints; then the list has only the worst escape of the bake, without its point.
 */
function known({ escapes, bake }: Loaded): VisitedEscape[] {
  if (escapes && escapes.length > 0) return escapes;
  const worst = bake.bake.coverage?.worst;
  if (!worst || escapes === null) return [];
  const { joint, clip, time } = worst;
  return [{ joint, clip: clip ?? null, time, distance: bake.bake.coverage!.max_escape, outside: 0, point: null }];
}

export function worstEscapes({ visited }: Page, actions: Actions, loaded: Loaded, all: boolean, showAll: (all: boolean) => void): Node[] {
  const heading = h('h2', { title: 'The moments at which the skin of each joint is farthest outside all hitboxes' }, 'Worst escapes', h('small', {}, ' in % of the height'));
  if (loaded.escapes === null) return [heading, h('p', { class: 'waiting faint' }, 'measuring all clips…')];
  const escapes = known(loaded);
  if (escapes.length === 0) return [heading, h('p', { class: 'faint' }, 'The hitboxes hold the skin in every clip.')];
  const names = loaded.bake.bake.joints.map(({ name }) => name);
  const withHitbox = new Set(loaded.bake.bake.boxes.map((box) => box.joint));
  const rows = escapes.slice(0, all ? escapes.length : FEW).map((escape) => {
    const pressed = visited?.joint === escape.joint && visited.time === escape.time && visited.clip === escape.clip;
    return button(
      `escape ${escape.joint}`,
      () => actions.visits.visit(escape),
      { class: 'bookmark', 'data-escape': escape.joint, 'aria-pressed': String(pressed), title: `Go to ${escape.joint}, ${whenIs(escape)}` },
      swatch(loaded.bake.colors[names.indexOf(escape.joint)]),
      jointName(escape.joint),
      h('small', {}, withHitbox.has(escape.joint) ? whenIs(escape) : `no hitbox · ${whenIs(escape)}`),
      h('b', {}, percent(escape.distance)),
    );
  });
  const more = escapes.length - FEW;
  const toggle = button('more', () => showAll(!all), { class: 'more' }, all ? 'fewer' : `${more} more`);
  return [heading, h('div', { class: 'bookmarks' }, ...rows, more > 0 ? toggle : null)];
}
