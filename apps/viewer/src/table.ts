// The boxes in a table, the worst first.

import { h, percent } from './dom';
import type { Baked, Hitbox, Escape } from './types';

export type SortKey = 'joint' | 'escape' | 'outside' | 'fill' | 'ratio';

interface Column {
  key: SortKey;
  title: string;
  help: string;
  /** Sorts ascending; the worst is the least. */
  badness: (row: Row) => number | string;
  text: (row: Row) => string;
}

interface Row {
  box: Hitbox;
  /** Of the box's joint; `null` where nothing leaves. */
  escape: Escape | null;
}

/** Share of the box that the hull fills; `null` for a flat box. */
export function fill(box: Hitbox): number | null {
  return box.volume > 0 ? box.hull_volume / box.volume : null;
}

const COLUMNS: Column[] = [
  { key: 'joint', title: 'joint', help: 'Whose box it is', badness: ({ box }) => box.joint, text: ({ box }) => box.joint },
  {
    key: 'escape',
    title: 'escape',
    help: 'How far the skin of this joint gets from every box, over all clips, in percent of the height',
    badness: ({ escape }) => -(escape?.distance ?? 0),
    text: ({ escape }) => (escape ? percent(escape.distance) : '–'),
  },
  {
    key: 'outside',
    title: 'outside',
    help: 'Share of the skin of this joint that is in no box, over all clips',
    badness: ({ escape }) => -(escape?.outside ?? 0),
    text: ({ escape }) => (escape ? percent(escape.outside) : '–'),
  },
  {
    key: 'fill',
    title: 'fill',
    help: 'Share of the box that the hull fills: a low one is empty space that will be hit',
    badness: ({ box }) => fill(box) ?? 2,
    text: ({ box }) => {
      const share = fill(box);
      return share === null ? 'flat' : `${(100 * share).toFixed(0)} %`;
    },
  },
  {
    key: 'ratio',
    title: '× least',
    help: 'Volume over that of the smallest box around the same points',
    badness: ({ box }) => -(box.min_volume_ratio ?? 0),
    text: ({ box }) => box.min_volume_ratio?.toFixed(2) ?? '–',
  },
];

export function table(
  bake: Baked,
  escapes: Escape[] | null,
  colors: string[],
  selected: number | null,
  sort: SortKey,
  on: { select: (joint: number) => void; sort: (key: SortKey) => void },
): HTMLElement {
  const of = new Map(escapes?.map((escape) => [escape.joint, escape]));
  const column = COLUMNS.find(({ key }) => key === sort)!;
  const rows = bake.boxes
    .map((box): Row => ({ box, escape: of.get(box.joint) ?? null }))
    .sort((a, b) => {
      const [x, y] = [column.badness(a), column.badness(b)];
      if (x === y) return a.box.joint_index - b.box.joint_index;
      return x < y ? -1 : 1;
    });
  const head = COLUMNS.map(({ key, title, help }) =>
    h(
      'th',
      { scope: 'col', 'aria-sort': key === sort ? 'ascending' : 'none' },
      h('button', { type: 'button', title: help, 'data-key': `sort ${key}`, onclick: () => on.sort(key) }, title),
    ),
  );
  const body = rows.map((row) => {
    const { box } = row;
    const tags = box.tags.map((tag) => h('span', { class: 'tag' }, tag));
    const [joint, ...rest] = COLUMNS.map((each) => each.text(row));
    return h(
      'tr',
      {
        'aria-selected': String(box.joint_index === selected),
        'data-joint': box.joint,
        'data-key': `row ${box.joint}`,
        tabIndex: 0,
        onclick: () => on.select(box.joint_index),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === 'Enter') on.select(box.joint_index);
        },
      },
      h('th', { scope: 'row' }, swatch(colors[box.joint_index]), joint ?? '', ...tags),
      ...rest.map((text) => h('td', {}, text)),
    );
  });
  return h('table', { class: 'boxes' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body));
}

export function swatch(color: string | undefined): HTMLElement {
  const swatch = h('i', { class: 'swatch' });
  swatch.style.background = color ?? 'grey';
  return swatch;
}
