// Header and side panel: what is shown, and what there is to set.

import type { BoxStyle, Surface } from './actor';
import { bookmarks, whenIs } from './bookmarks';
import type { Loaded } from './columns';
import { comparison } from './compare';
import { contactTable } from './contacts';
import { choice, h, percent, replaceKeepingFocus, segmented } from './dom';
import type { App } from './main';
import { table } from './table';
import type { Bake, Baked } from './types';

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
const SURFACES: readonly Surface[] = ['solid', 'outside', 'ghost', 'off'];

const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'a tick back or on'],
  ['e, E', 'next or last of the worst escapes'],
  ['x, c, d', 'boxes, compare, duel'],
  ['Home, End', 'first or last moment'],
  ['b', 'boxes: solid, wire, x-ray, off'],
  ['m', 'mesh: solid; outside: red where it is in no box; ghost; off'],
  ['n', 'names of joints'],
  ['1 2 3 4', 'front, side, top, three quarters'],
  ['t', 'dark or light'],
  ['Esc', 'select nothing'],
  ['click', 'select a box; drag to turn, wheel to come near, right drag to shift'],
];

export class Panel {
  readonly header = h('header');
  readonly aside = h('aside', { tabIndex: -1 });
  private readonly pairs = h('div', { class: 'touching' });
  private readonly help = h('dialog', { class: 'help', 'aria-label': 'Keys' });
  private allEscapes = false;

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

  get helpIsOpen(): boolean {
    return this.help.open;
  }

  /** Brings the selected row into sight. */
  showSelected(): void {
    this.aside.querySelector('tr[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  switchTheme(): void {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : window.matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  }

  /** Who touches whom at the tick that is shown, and over the whole duel. */
  updateContacts(): void {
    const { app } = this;
    const pairs = app.tick?.pairs ?? [];
    const rows = pairs.map(({ a, b, depth }) => h('tr', {}, h('td', {}, a), h('td', {}, b), h('td', {}, depth.toFixed(3))));
    const head = h('tr', {}, h('th', {}, 'A'), h('th', {}, 'B'), h('th', {}, 'depth'));
    const count = pairs.length === 0 ? 'No contact' : `${pairs.length} ${pairs.length === 1 ? 'pair touches' : 'pairs touch'}`;
    const { duel } = app;
    replaceKeepingFocus(
      this.pairs,
      h('h2', {}, `${count} at tick ${app.tick?.tick ?? 0}`),
      pairs.length === 0 ? '' : h('table', { class: 'pairs' }, h('thead', {}, head), h('tbody', {}, ...rows)),
      h('h2', {}, 'All contacts'),
      duel && duel.ticks.some((tick) => tick.pairs.length > 0)
        ? contactTable(duel, app.tick?.tick ?? 0, (time) => app.seek(time))
        : h('p', { class: 'faint' }, 'They never touch: bring them nearer.'),
    );
  }

  private updateHeader(): void {
    const { app } = this;
    const { characters } = app.listing;
    const modes: readonly Mode[] = app.source.live ? ['boxes', 'compare', 'duel'] : ['boxes', 'compare'];
    const names = characters.map(({ name, file }, index) => ({ value: String(index), text: `${name} (${file})` }));
    const directions = (['front', 'side', 'top', 'iso'] as const).map((direction) =>
      h('button', { type: 'button', 'data-view': direction, onclick: () => app.look(direction) }, direction),
    );
    replaceKeepingFocus(
      this.header,
      h('b', { class: 'brand' }, 'bonebox'),
      choice('Character', names, String(app.index), (value) => void app.open(Number(value)), 'character'),
      segmented('', modes, app.mode, (mode) => void app.setMode(mode)),
      segmented('boxes', BOX_STYLES, app.display.boxes, (boxes) => app.setDisplay({ boxes })),
      segmented('mesh', SURFACES, app.display.surface, (surface) => app.setDisplay({ surface })),
      h('label', {}, h('input', { type: 'checkbox', id: 'names', checked: app.names, onchange: () => app.setNames(!app.names) }), ' names'),
      h('span', { class: 'spring' }),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'view' }, ...directions),
      h('button', { type: 'button', title: 'Dark or light (t)', onclick: () => this.switchTheme() }, '◐'),
      h('button', { type: 'button', title: 'Keys (?)', onclick: () => this.toggleHelp() }, '?'),
    );
  }

  private updateAside(): void {
    const { scrollTop } = this.aside;
    replaceKeepingFocus(this.aside, ...this.asideParts());
    this.aside.scrollTop = scrollTop;
  }

  private asideParts(): (Node | string)[] {
    const { app } = this;
    if (!app.bake) return [];
    if (app.mode === 'duel') return this.duelParts();
    const parts = app.mode === 'compare' ? comparison(app) : [];
    const current = app.current;
    if (!current) return [...parts, h('p', { class: 'waiting faint' }, 'baking…')];
    if (app.mode === 'boxes') parts.push(facts(current.bake, app.source.live));
    parts.push(...brokenLimits(current.bake));
    parts.push(...this.selectedParts(current));
    parts.push(
      ...bookmarks(current, app.visited, this.allEscapes, {
        visit: (escape) => app.visit(escape),
        all: () => {
          this.allEscapes = !this.allEscapes;
          this.updateAside();
        },
      }),
    );
    parts.push(...warnings(current.bake.bake));
    parts.push(h('h2', {}, 'Boxes'));
    parts.push(
      table(current.bake.bake, current.escapes, current.bake.colors, app.selected, app.sort, {
        select: (joint) => app.select(joint),
        sort: (key) => app.setSort(key),
      }),
    );
    return parts;
  }

  /** What there is to know of the selected joint. */
  private selectedParts({ bake: { bake }, escapes }: Loaded): Node[] {
    const { app } = this;
    if (app.selected === null) return [];
    const name = bake.joints[app.selected]?.name ?? '';
    const boxes = bake.boxes.filter((box) => box.joint_index === app.selected);
    const escape = escapes?.find(({ joint }) => joint === name);
    const size = (half: number[]) => half.map((x) => (2 * x).toPrecision(3)).join(' × ');
    const entries: [string, Node | string][] = [];
    const tags = [...new Set(boxes.flatMap((box) => box.tags))];
    if (tags.length > 0) entries.push(['tags', tags.join(', ')]);
    if (boxes.length === 0) entries.push(['box', 'none']);
    for (const box of boxes) {
      const made = box.hull_vertices === 0 ? 'made by hand' : `${box.vertices} vertices, ${box.hull_vertices} on the hull`;
      entries.push([boxes.length > 1 ? 'a box' : 'box', `${size(box.half_extents)}; ${made}`]);
    }
    if (escape) {
      const go = h('button', { type: 'button', class: 'go', 'data-key': 'go', onclick: () => app.visit(escape) }, whenIs(escape));
      entries.push(['farthest out', h('span', {}, `${percent(escape.distance)} at `, go)]);
      entries.push(['outside', `${percent(escape.outside)} of its skin`]);
    }
    // Enough for this place, if no other joint's box is the nearest one.
    const margin = Math.ceil(1000 * (escape?.distance ?? 0)) / 1000;
    const lines = `[joints.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]\nmargin = ${margin}`;
    return [
      h('h2', { class: 'selected-joint' }, name),
      h('dl', { class: 'facts' }, ...entries.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)])),
      ...(margin > 0 ? [h('p', { class: 'faint' }, 'To try in bonebox.toml:'), h('pre', { class: 'snippet' }, lines)] : []),
    ];
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
    const b = app.listing.characters[duel.other]?.name ?? '';
    this.updateContacts();
    return [
      h('h2', {}, `${app.name} (A) against ${b} (B)`),
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
        ? h(
            'button',
            { type: 'button', class: 'bookmark', 'data-key': 'first contact', onclick: () => app.seek(first.time) },
            h('span', {}, 'First contact'),
            h('b', {}, `${first.time.toFixed(2)} s`),
          )
        : '',
      this.pairs,
    ];
  }
}

/** Share of all boxes together that their hulls fill. */
function totalFill({ boxes }: Baked): number {
  const sum = (of: (box: Baked['boxes'][number]) => number) => boxes.reduce((sum, box) => sum + of(box), 0);
  return sum((box) => box.hull_volume) / (sum((box) => box.volume) || 1);
}

/** What was odd. */
function warnings({ warnings }: Baked): Node[] {
  if (warnings.length === 0) return [];
  const items = warnings.map(({ code, text }) => h('li', {}, h('code', {}, code), ` ${text}`));
  const word = warnings.length === 1 ? 'warning' : 'warnings';
  return [h('details', { class: 'warnings' }, h('summary', {}, `${warnings.length} ${word}`), h('ul', {}, ...items))];
}

/** A bake that `bonebox bake` would refuse. */
function brokenLimits({ broken }: Bake): Node[] {
  if (broken.length === 0) return [];
  const items = broken.map((sentence) => h('li', {}, sentence));
  return [h('div', { class: 'broken', role: 'alert' }, h('strong', {}, 'bonebox bake refuses these boxes'), h('ul', {}, ...items))];
}

/** The bake in a few figures. */
function facts({ bake, settings }: Bake, live: boolean): HTMLElement {
  const entries: [string, Node | string][] = [
    ['boxes', `${bake.boxes.length} for ${bake.joints.length} joints`],
    ['fill', `${(100 * totalFill(bake)).toFixed(0)} % of the boxes is body`],
  ];
  const { coverage } = bake;
  if (coverage) {
    entries.push(['in boxes', `${percent(coverage.surface_rest)} at rest, ${percent(coverage.surface_clips)} moving`]);
    entries.push(['largest escape', `${percent(coverage.max_escape)} of the height`]);
  }
  const words = Object.entries(bake.options).filter(([key]) => key !== 'overrides');
  entries.push(['options', words.map(([key, value]) => `${key} = ${value}`).join(', ')]);
  if (live) entries.push(['settings', settings ?? 'none: a bonebox.toml beside the file, or above it, counts as soon as it is saved']);
  return h('dl', { class: 'facts' }, ...entries.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}
