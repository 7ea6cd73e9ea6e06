// The side panel of a comparison: the figures of each column, the choice of columns, and the user's own options.

import { NO_BAKER } from '../data/source';
import type { Bake, ListedOption } from '../data/types';
import { percent, volume } from '../data/units';
import { button, choice, h, labeled, table, textField } from '../dom';
import type { Column } from '../state/columns';
import type { Page } from '../state/page';
import { key as tomlKey } from '../state/settingsText';
import type { Actions } from './actions';
import { escapeOf } from './facts';
import { copyAndApply } from './selected';

const ROWS: [title: string, help: string, text: (bake: Bake) => string][] = [
  ['hitboxes', 'Number of hitboxes', ({ bake }) => String(bake.boxes.length)],
  ['volume', 'Sum of the volumes of all hitboxes at rest', (bake) => volume(bake.volume)],
  ['coverage at rest', 'Share of the skin inside hitboxes in the rest pose', ({ bake }) => share(bake.coverage?.surface_rest)],
  ['coverage in clips', 'Share of the skin inside hitboxes, over all clips', ({ bake }) => shareInClips(bake, bake.coverage?.surface_clips)],
  ['by own joint', 'Share of the skin inside hitboxes of its own joint, over all clips', ({ bake }) => shareInClips(bake, bake.coverage?.own_clips)],
  ['worst escape', 'Largest distance from the skin to the nearest hitbox, in percent of the height', ({ bake }) => (bake.coverage ? escapeOf(bake.coverage) : '–')],
];

function share(share: number | undefined): string {
  return share === undefined ? '–' : percent(share);
}

/** A character without clips has no share over clips; its file has the share at rest in that place. */
function shareInClips({ clips }: Bake['bake'], found: number | undefined): string {
  return share(clips.length > 0 ? found : undefined);
}

/** `own` says whether the user's own options are unfolded. */
export function comparison(page: Page, actions: Actions, own: { open: boolean }): Node[] {
  const { choosable, shown, focus } = page.comparison;
  const all = choosable.filter(({ key, options }) => key !== 'yours' || Object.keys(options).length > 0);
  const head = all.map((column) =>
    h(
      'th',
      { scope: 'col' },
      button(
        `column ${column.key}`,
        () => actions.columns.show(column.key),
        { class: 'column', title: `${column.help}: show or hide`, 'data-column': column.key, 'aria-pressed': String(column.shown) },
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
  const baked = shown.filter(({ since }) => since === null).length;
  const progress = baked < shown.length ? h('p', { class: 'waiting faint' }, `${baked} of ${shown.length} baked`) : null;
  return [
    h('p', { class: 'faint' }, 'Click a name to show or hide its column.'),
    table('sums', [h('th', {}, ''), ...head], rows),
    ...(progress ? [progress] : []),
    page.canBake ? ownOptions(page, actions, own) : h('p', { class: 'faint' }, NO_BAKER),
    h(
      'label',
      { class: 'focus', for: 'focus' },
      'Table of ',
      choice(
        'The bake that the tables describe',
        shown.map(({ key, title }) => ({ value: key, text: title })),
        focus,
        (key) => actions.columns.focusOn(key),
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

/** Returns a field for each option, and the lines of the options. */
function ownOptions(page: Page, actions: Actions, own: { open: boolean }): Node {
  const { options } = page.comparison.column('yours')!;
  const fields = page.listing.options.map((option) => field(option, options[option.key] ?? '', (value) => actions.columns.setOption(option.key, value)));
  const details = h('details', { class: 'own', open: own.open }, h('summary', {}, 'Your own options'), h('div', { class: 'fields' }, ...fields), ...ownLines(page, actions));
  details.addEventListener('toggle', () => (own.open = details.open));
  return details;
}

/** The user's own options as lines of bonebox.toml, to copy or to apply; nothing without an option. */
function ownLines({ comparison, listing, index, name, hasServer }: Page, actions: Actions): Node[] {
  const { options } = comparison.column('yours')!;
  const changes = Object.entries(options).map(([key, value]) => ({ id: index, joint: null, key, value }));
  if (changes.length === 0) return [];
  const isWord = (value: string) => !/^(true|false|[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)$/i.test(value);
  const written = changes.map(({ key, value }) => `${key} = ${isWord(value) ? JSON.stringify(value) : value}`);
  const lines = `[characters.${tomlKey(name || listing.characters[index]!.name)}]\n${written.join('\n')}`;
  return [h('pre', { class: 'snippet' }, lines), copyAndApply('own', lines, hasServer ? () => actions.apply(...changes) : null)];
}

function field({ key, values, text }: ListedOption, now: string, set: (value: string) => void): Node {
  const all = values.split(' | ');
  const words = all.filter((word) => !word.includes(' '));
  const id = `option-${key}`;
  const input =
    all.length > 1 && words.length === all.length
      ? choice(text, [{ value: '', text: 'as set' }, ...words.map((word) => ({ value: word, text: word }))], now, set, id)
      : textField(id, now, (text) => set(text.trim()), { placeholder: values, title: text, size: 10 });
  return labeled(key, input, text);
}
