// The boxes in a table, the worst first.

import { h, percent } from './dom';
import type { Baked, BakedBox } from './types';

interface Column {
  key: string;
  title: string;
  help: string;
  /** Sorts ascending; the worst is the least. */
  badness: (box: BakedBox) => number | string;
  text: (box: BakedBox) => string;
}

/** Share of the box that the hull fills; `null` for a flat box. */
export function fill(box: BakedBox): number | null {
  return box.volume > 0 ? box.hull_volume / box.volume : null;
}

const COLUMNS: Column[] = [
  { key: 'joint', title: 'joint', help: 'Whose box it is', badness: (box) => box.joint, text: (box) => box.joint },
  {
    key: 'fill',
    title: 'fill',
    help: 'Share of the box that the hull fills: a low one is empty space that will be hit',
    badness: (box) => fill(box) ?? 2,
    text: (box) => {
      const share = fill(box);
      return share === null ? 'flat' : percent(share);
    },
  },
  {
    key: 'ratio',
    title: '× least',
    help: 'Volume over that of the smallest box around the same points',
    badness: (box) => -(box.min_volume_ratio ?? 0),
    text: (box) => box.min_volume_ratio?.toFixed(2) ?? '–',
  },
  {
    key: 'vertices',
    title: 'vertices',
    help: 'Assigned to this box',
    badness: (box) => box.vertices,
    text: (box) => String(box.vertices),
  },
];

export type SortKey = 'joint' | 'fill' | 'ratio' | 'vertices';

export function table(
  bake: Baked,
  colors: string[],
  selected: number | null,
  sort: SortKey,
  on: { select: (joint: number) => void; sort: (key: SortKey) => void },
): HTMLElement {
  const column = COLUMNS.find(({ key }) => key === sort)!;
  const rows = [...bake.boxes].sort((a, b) => {
    const [x, y] = [column.badness(a), column.badness(b)];
    if (x === y) return a.joint_index - b.joint_index;
    return x < y ? -1 : 1;
  });
  const head = COLUMNS.map(({ key, title, help }) =>
    h(
      'th',
      { scope: 'col', 'aria-sort': key === sort ? 'ascending' : 'none' },
      h('button', { type: 'button', title: help, onclick: () => on.sort(key as SortKey) }, title),
    ),
  );
  const body = rows.map((box) => {
    const swatch = h('i', { class: 'swatch' });
    swatch.style.background = colors[box.joint_index] ?? 'grey';
    const tags = box.tags.map((tag) => h('span', { class: 'tag' }, tag));
    const [joint, ...rest] = COLUMNS.map((each) => each.text(box));
    return h(
      'tr',
      {
        'aria-selected': String(box.joint_index === selected),
        'data-joint': box.joint,
        tabIndex: 0,
        onclick: () => on.select(box.joint_index),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === 'Enter') on.select(box.joint_index);
        },
      },
      h('th', { scope: 'row' }, swatch, joint ?? '', ...tags),
      ...rest.map((text) => h('td', {}, text)),
    );
  });
  return h('table', { class: 'boxes' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body));
}
