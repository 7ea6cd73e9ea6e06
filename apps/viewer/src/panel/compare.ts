// The side panel of a comparison: the figures of each column, the choice of columns, and the user's own options.

import type { App } from '../app/app';
import type { Column } from '../app/columns';
import type { Bake, OptionHelp } from '../data/types';
import { percent, volume } from '../data/units';
import { choice, h } from './dom';
import { escapeOf } from './facts';

const ROWS: [title: string, help: string, text: (bake: Bake) => string][] = [
  ['hitboxes', 'Number of hitboxes', ({ bake }) => String(bake.boxes.length)],
  ['volume', 'Sum of the volumes of all hitboxes at rest', (bake) => volume(bake.volume)],
  ['coverage at rest', 'Share of the skin inside hitboxes in the rest pose', ({ bake }) => share(bake.coverage?.surface_rest)],
  ['coverage in clips', 'Share of the skin inside hitboxes, over all clips', ({ bake }) => share(bake.coverage?.surface_clips)],
  ['by own joint', 'Share of the skin inside hitboxes of its own joint, over all clips', ({ bake }) => share(bake.coverage?.own_clips)],
  ['worst escape', 'Largest distance from the skin to the nearest hitbox, in percent of the height', ({ bake }) => (bake.coverage ? escapeOf(bake.coverage) : '–')],
];

function share(share: number | undefined): string {
  return share === undefined ? '–' : percent(share);
}

export function comparison(app: App): Node[] {
  const all = app.comparison.choosable.filter(({ key, options }) => key !== 'yours' || Object.keys(options).length > 0);
  const head = all.map((column) =>
    h(
      'th',
      { scope: 'col' },
      h(
        'button',
        {
          type: 'button',
          class: 'column',
          title: `${column.help}: show or hide`,
          'data-column': column.key,
          'data-key': `column ${column.key}`,
          'aria-pressed': String(column.shown),
          onclick: () => app.comparison.show(column.key),
        },
        column.key === 'yours' ? 'yours' : column.title,
      ),
    ),
  );
  // Files of earlier versions do not have all figures.
  const bakes = all.flatMap(({ loaded }) => loaded?.bake ?? []);
  const known = ROWS.filter(([, , text]) => bakes.length === 0 || bakes.some((bake) => text(bake) !== share(undefined)));
  const rows = known.map(([title, help, text]) =>
    h('tr', { title: help }, h('th', { scope: 'row' }, title), ...all.map((column) => cell(column, text))),
  );
  const shown = app.comparison.shown;
  const baked = shown.filter(({ since }) => since === null).length;
  const progress = baked < shown.length ? h('p', { class: 'waiting faint' }, `${baked} of ${shown.length} baked`) : null;
  return [
    h('p', { class: 'faint' }, 'Click a name to show or hide its column.'),
    h('table', { class: 'sums' }, h('thead', {}, h('tr', {}, h('th', {}, ''), ...head)), h('tbody', {}, ...rows)),
    ...(progress ? [progress] : []),
    app.hasServer ? ownOptions(app) : h('span'),
    h(
      'label',
      { class: 'focus', for: 'focus' },
      'Table of ',
      choice(
        'The bake that the tables describe',
        shown.map(({ key, title }) => ({ value: key, text: title })),
        app.comparison.focus,
        (key) => app.comparison.focusOn(key),
        'focus',
      ),
    ),
  ];
}

function cell({ key, loaded, since, error }: Column, text: (bake: Bake) => string): HTMLElement {
  if (error !== null) return h('td', { 'data-of': key, title: error, class: 'hot' }, '!');
  if (!loaded) return h('td', { 'data-of': key, class: since === null ? '' : 'waiting' }, since === null ? '' : '…');
  return h('td', { 'data-of': key, class: since === null ? '' : 'faint' }, text(loaded.bake));
}

/** Returns a field for each option. */
function ownOptions(app: App): Node {
  const { options } = app.comparison.column('yours')!;
  const fields = app.listing.options.map((option) => field(option, options[option.key] ?? '', (value) => app.comparison.setOption(option.key, value)));
  const details = h('details', { class: 'own', open: app.comparison.ownOptionsOpen }, h('summary', {}, 'Your own options'), h('div', { class: 'fields' }, ...fields));
  details.addEventListener('toggle', () => (app.comparison.ownOptionsOpen = details.open));
  return details;
}

function field({ key, values, text }: OptionHelp, now: string, set: (value: string) => void): Node {
  const all = values.split(' | ');
  const words = all.filter((word) => !word.includes(' '));
  const id = `option-${key}`;
  const input =
    all.length > 1 && words.length === all.length
      ? choice(text, [{ value: '', text: 'as set' }, ...words.map((word) => ({ value: word, text: word }))], now, set, id)
      : h('input', { id, value: now, placeholder: values, title: text, size: 10 });
  if (input instanceof HTMLInputElement) input.addEventListener('change', () => set(input.value.trim()));
  return h('label', { for: id, title: text }, h('span', {}, key), input);
}
