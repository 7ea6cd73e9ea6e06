// The panel of a set of shared hitboxes: the figures of each character, and the switches that show them.

import type { SharedFigures } from '../data/types';
import { button, h, segmented, table } from '../dom';
import type { Page } from '../state/page';
import { LAYOUTS, outsideOf, type Member } from '../state/sharedSet';
import type { Actions } from './actions';
import { absentOf, escapeOf } from './facts';
import { swatch } from './name';

const HEAD: [title: string, help: string][] = [
  ['character', 'Click a name to show or hide the character'],
  ['skin outside', 'Share of the skin outside all hitboxes, over all clips of the character, or at rest if it has none'],
  ['worst escape', 'Largest distance from the skin to the nearest hitbox, in percent of the height'],
  ['volume of its own', 'Volume of the shared hitboxes, divided by that of the hitboxes that the character would have alone. What is above 100 % is added air.'],
];

export function sharedPanel(page: Page, actions: Actions, shared: SharedFigures): Node[] {
  const { members, layout, shown } = page.shared;
  const head = HEAD.map(([title, help]) => h('th', { scope: 'col', title: help }, title));
  const rows = members.map((member) => row(page, actions, member, shown.includes(member)));
  const absent = absentOf(shared);
  return [
    h('p', { class: 'faint' }, `The hitboxes of the set "${shared.set}". Click a name to show or hide the character. All characters are in the pose of ${page.name}.`),
    segmented('layout', LAYOUTS, layout, (layout) => actions.shared.setLayout(layout), undefined, 'skins'),
    table('sums shared', head, rows),
    ...(absent === null ? [] : [h('p', { class: 'faint' }, absent)]),
  ];
}

function row(page: Page, actions: Actions, { index, name, color, loaded, error }: Member, shown: boolean): HTMLElement {
  const key = `member ${index}`;
  const attributes = { class: 'column', title: 'Show or hide', 'data-member': name, 'aria-pressed': String(shown) };
  const colored = page.shared.layout === 'overlay' ? swatch(color) : null;
  const head = h('th', { scope: 'row' }, colored, button(key, () => actions.shared.show(index), attributes, name));
  if (error !== null) return h('tr', {}, head, h('td', { class: 'hot', colSpan: HEAD.length - 1 }, error));
  if (!loaded) return h('tr', {}, head, h('td', { class: 'waiting', colSpan: HEAD.length - 1 }, 'baking…'));
  const { bake } = loaded;
  const ratio = bake.shared?.volume_ratio ?? null;
  const cells = [
    outsideOf(bake),
    bake.bake.coverage ? escapeOf(bake.bake.coverage) : '–',
    ratio === null ? '–' : `${(100 * ratio).toFixed(0)} %`,
  ];
  return h('tr', {}, head, ...cells.map((text) => h('td', {}, text)));
}
