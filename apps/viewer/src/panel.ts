// Header and side panel: what is shown, and what there is to set.

import type { BoxStyle, Surface } from './actor';
import { choice, h, percent, segmented } from './dom';
import type { App } from './main';
import { fill, table } from './table';
import type { Baked, OptionHelp } from './types';

export type Mode = 'boxes' | 'compare' | 'duel';

export interface DuelSettings {
  /** The second character, by number. */
  other: number;
  /** By name; empty is the rest pose, `null` not chosen yet. */
  clipA: string | null;
  clipB: string | null;
  distance: number;
  turn: number;
  fps: number;
}

export const DEFAULT_DUEL: DuelSettings = { other: 0, clipA: null, clipB: null, distance: 1, turn: 0, fps: 30 };

const BOX_STYLES: readonly BoxStyle[] = ['solid', 'wire', 'x-ray', 'off'];
const SURFACES: readonly Surface[] = ['solid', 'ghost', 'off'];

const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'a tick back or on'],
  ['Home, End', 'first or last moment'],
  ['b', 'boxes: solid, wire, x-ray, off'],
  ['m', 'mesh: solid, ghost, off'],
  ['n', 'names of joints'],
  ['1 2 3 4', 'front, side, top, three quarters'],
  ['t', 'dark or light'],
  ['Esc', 'select nothing'],
  ['click', 'select a box; drag to turn, wheel to come near, right drag to shift'],
];

export class Panel {
  readonly header = h('header');
  readonly aside = h('aside');
  private readonly contacts = h('div', { class: 'contacts' });
  private readonly help = h('dialog', { class: 'help', 'aria-label': 'Keys' });

  constructor(private readonly app: App) {
    const rows = KEYS.map(([key, text]) => h('tr', {}, h('th', {}, key), h('td', {}, text)));
    this.help.append(h('table', {}, ...rows), h('button', { type: 'button', onclick: () => this.help.close() }, 'Close'));
    document.body.append(this.help);
  }

  update(): void {
    this.updateHeader();
    this.updateAside();
  }

  toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }

  closeHelp(): void {
    this.help.close();
  }

  switchTheme(): void {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : window.matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  }

  /** Who touches whom at the tick that is shown. */
  updateContacts(): void {
    const pairs = this.app.tick?.pairs ?? [];
    const rows = pairs.map(({ a, b, depth }) => h('tr', {}, h('td', {}, a), h('td', {}, b), h('td', {}, depth.toFixed(3))));
    const head = h('tr', {}, h('th', {}, 'A'), h('th', {}, 'B'), h('th', {}, 'depth'));
    this.contacts.replaceChildren(
      h('h2', {}, pairs.length === 0 ? 'No contact' : `${pairs.length} ${pairs.length === 1 ? 'pair touches' : 'pairs touch'}`),
      pairs.length === 0 ? '' : h('table', { class: 'pairs' }, h('thead', {}, head), h('tbody', {}, ...rows)),
    );
  }

  private updateHeader(): void {
    const { app } = this;
    const { characters } = app.listing;
    const modes: readonly Mode[] = app.source.live ? ['boxes', 'compare', 'duel'] : ['boxes'];
    const names = characters.map(({ name, file }, index) => ({ value: String(index), text: `${name} (${file})` }));
    const directions = (['front', 'side', 'top', 'iso'] as const).map((direction) =>
      h('button', { type: 'button', 'data-view': direction, onclick: () => app.look(direction) }, direction),
    );
    this.header.replaceChildren(
      h('b', { class: 'brand' }, 'bonebox'),
      choice('Character', names, String(app.index), (value) => void app.open(Number(value)), 'character'),
      modes.length > 1 ? segmented('', modes, app.mode, (mode) => void app.setMode(mode)) : '',
      segmented('boxes', BOX_STYLES, app.display.boxes, (boxes) => app.setDisplay({ boxes })),
      segmented('mesh', SURFACES, app.display.surface, (surface) => app.setDisplay({ surface })),
      h('label', {}, h('input', { type: 'checkbox', checked: app.names, onchange: () => app.setNames(!app.names) }), ' names'),
      h('span', { class: 'spring' }),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'view' }, ...directions),
      h('button', { type: 'button', title: 'Dark or light (t)', onclick: () => this.switchTheme() }, '◐'),
      h('button', { type: 'button', title: 'Keys (?)', onclick: () => this.toggleHelp() }, '?'),
    );
  }

  private updateAside(): void {
    const { app } = this;
    const bake = app.bake;
    if (!bake) {
      this.aside.replaceChildren();
      return;
    }
    const { scrollTop } = this.aside;
    const parts: (Node | string)[] = [];
    if (app.mode === 'duel') parts.push(...this.duelParts());
    else {
      if (app.mode === 'compare') parts.push(...this.compareParts());
      parts.push(...this.reportParts(bake.bake));
      parts.push(
        table(bake.bake, bake.colors, app.selected, app.sort, {
          select: (joint) => app.select(joint),
          sort: (key) => app.setSort(key),
        }),
      );
    }
    this.aside.replaceChildren(...parts);
    this.aside.scrollTop = scrollTop;
  }

  /** Sums, bookmarks, warnings. */
  private reportParts(bake: Baked): Node[] {
    const { app } = this;
    const parts: Node[] = [facts(bake)];
    const worst = bake.coverage?.worst;
    if (worst) {
      const where = `${worst.joint}, ${worst.clip ?? 'rest pose'} at ${worst.time.toFixed(2)} s`;
      const visit = () => app.visit(worst.clip, worst.time, worst.joint);
      parts.push(h('button', { type: 'button', class: 'bookmark', onclick: visit }, `Worst escape: ${where}`));
    }
    if (bake.warnings.length > 0) {
      const items = bake.warnings.map(({ code, text }) => h('li', {}, h('code', {}, code), ` ${text}`));
      const word = bake.warnings.length === 1 ? 'warning' : 'warnings';
      parts.push(h('details', { class: 'warnings' }, h('summary', {}, `${bake.warnings.length} ${word}`), h('ul', {}, ...items)));
    }
    return parts;
  }

  /** Switches for each option, and what they change. */
  private compareParts(): Node[] {
    const { app } = this;
    const fields = app.listing.options.map((option) => this.optionField(option));
    const other = app.otherBake?.bake;
    const mine = app.bake?.bake;
    const rows: [string, (bake: Baked) => string][] = [
      ['boxes', (bake) => String(bake.boxes.length)],
      ['mean fill', (bake) => percent(meanFill(bake))],
      ['volume', (bake) => bake.boxes.reduce((sum, box) => sum + box.volume, 0).toPrecision(3)],
      ['in boxes at rest', (bake) => (bake.coverage ? percent(bake.coverage.surface_rest) : '–')],
      ['in boxes in clips', (bake) => (bake.coverage ? percent(bake.coverage.surface_clips) : '–')],
    ];
    const body = rows.map(([name, value]) =>
      h('tr', {}, h('th', {}, name), h('td', {}, mine ? value(mine) : ''), h('td', {}, other ? value(other) : '')),
    );
    const head = h('tr', {}, h('th', {}, ''), h('th', {}, 'default'), h('th', {}, 'right'));
    return [
      h('h2', {}, 'On the right'),
      h('div', { class: 'fields' }, ...fields),
      h('table', { class: 'sums' }, h('thead', {}, head), h('tbody', {}, ...body)),
      h('h2', {}, 'Boxes on the left'),
    ];
  }

  private optionField({ key, values, text }: OptionHelp): Node {
    const { app } = this;
    const words = values.split(' | ').filter((word) => !word.includes(' '));
    const now = app.variant[key] ?? '';
    const id = `option-${key}`;
    const set = (value: string) => app.setVariant(key, value.trim());
    const listed = values.includes(' | ') && words.length === values.split(' | ').length;
    const field = listed
      ? choice(text, [{ value: '', text: 'default' }, ...words.map((word) => ({ value: word, text: word }))], now, set, id)
      : h('input', { id, value: now, placeholder: values, title: text, size: 10 });
    if (field instanceof HTMLInputElement) field.addEventListener('change', () => set(field.value));
    return h('label', { for: id, title: text }, h('span', {}, key), field);
  }

  private duelParts(): (Node | string)[] {
    const { app } = this;
    const { duelSettings: duel } = app;
    const characters = app.listing.characters.map(({ name }, index) => ({ value: String(index), text: name }));
    const clips = (names: string[]) => [{ value: '', text: 'rest pose' }, ...names.map((name) => ({ value: name, text: name }))];
    const number = (label: string, value: number, step: number, change: (value: number) => void) => {
      const input = h('input', { type: 'number', value: String(value), step: String(step), id: `duel-${label}` });
      input.addEventListener('change', () => Number.isFinite(input.valueAsNumber) && change(input.valueAsNumber));
      return h('label', { for: `duel-${label}` }, h('span', {}, label), input);
    };
    const field = (label: string, select: HTMLSelectElement) => h('label', { for: select.id }, h('span', {}, label), select);
    const ticks = app.duel?.ticks ?? [];
    const touching = ticks.filter((tick) => tick.pairs.length > 0);
    const first = touching[0];
    this.updateContacts();
    return [
      h('h2', {}, `A is ${app.listing.characters[app.index]?.name ?? ''}`),
      h(
        'div',
        { class: 'fields' },
        field('clip of A', choice('Clip of A', clips(app.clips), duel.clipA ?? '', (clipA) => app.setDuel({ clipA }), 'clip-a')),
        field('B is', choice('B', characters, String(duel.other), (value) => app.setDuel({ other: Number(value) }), 'other')),
        field(
          'clip of B',
          choice('Clip of B', clips(app.otherBake?.bake.clips.map(({ name }) => name) ?? []), duel.clipB ?? '', (clipB) => app.setDuel({ clipB }), 'clip-b'),
        ),
        number('distance', duel.distance, 0.05, (distance) => app.setDuel({ distance })),
        number('turn', duel.turn, 15, (turn) => app.setDuel({ turn })),
        number('fps', duel.fps, 1, (fps) => fps > 0 && app.setDuel({ fps })),
      ),
      h('p', {}, `${touching.length} of ${ticks.length} ticks with contact`),
      first
        ? h('button', { type: 'button', class: 'bookmark', onclick: () => app.seek(first.time) }, `First contact: ${first.time.toFixed(2)} s`)
        : '',
      this.contacts,
    ];
  }
}

function meanFill(bake: Baked): number {
  const shares = bake.boxes.map(fill).filter((share): share is number => share !== null);
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1);
}

/** The bake in a few figures. */
function facts(bake: Baked): HTMLElement {
  const entries: [string, string][] = [
    ['boxes', `${bake.boxes.length} for ${bake.joints.length} joints`],
    ['mean fill', percent(meanFill(bake))],
  ];
  const { coverage } = bake;
  if (coverage) {
    entries.push(['in boxes at rest', percent(coverage.surface_rest)], ['in boxes in clips', percent(coverage.surface_clips)]);
    entries.push(['largest escape', `${percent(coverage.max_escape)} of the height`]);
  }
  entries.push(['options', Object.entries(bake.options).map(([key, value]) => `${key} = ${value}`).join(', ')]);
  return h('dl', { class: 'facts' }, ...entries.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}
