// The table of hitboxes, the worst first.

import type { Baked, Hitbox } from '../data/baked';
import type { Escape } from '../data/types';
import { percent, shapeAndSize } from '../data/units';
import { actionRow, button, h, table } from '../dom';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { jointName, swatch } from './name';

export type SortKey = 'joint' | 'escape' | 'outside' | 'fill' | 'ratio';

interface Column {
  key: SortKey;
  title: string;
  unit: string;
  help: string;
  /** The table is sorted by this value in ascending order: the worst row has the least value. */
  badness: (row: Row) => number | string;
  text: (row: Row) => string;
}

interface Row {
  box: Hitbox;
  /** The escape of the hitbox's joint; `null` if the joint's skin leaves no hitbox, or if `unknown` is set. */
  escape: Escape | null;
  /** The text in place of an escape that is not known: not yet, or not for single joints. */
  unknown: '…' | '?' | null;
}

/** Returns the share of the hitbox's volume that the hull of its vertices fills; `null` for a flat hitbox. */
function fill(box: Hitbox): number | null {
  return box.volume > 0 ? box.hull_volume / box.volume : null;
}

const COLUMNS: Column[] = [
  { key: 'joint', title: 'joint', unit: '', help: 'The joint that the hitbox is attached to', badness: ({ box }) => box.joint, text: ({ box }) => box.joint },
  {
    key: 'escape',
    title: 'escape',
    unit: '% of height',
    help: 'Largest distance from the skin of this joint to the nearest hitbox, over all clips, in percent of the character\u2019s height',
    badness: ({ escape }) => -(escape?.distance ?? 0),
    text: ({ escape, unknown }) => unknown ?? (escape ? percent(escape.distance) : '–'),
  },
  {
    key: 'outside',
    title: 'outside',
    unit: '% of skin',
    help: 'Share of the skin of this joint that lies in no hitbox, over all clips',
    badness: ({ escape }) => -(escape?.outside ?? 0),
    text: ({ escape, unknown }) => unknown ?? (escape ? percent(escape.outside) : '–'),
  },
  {
    key: 'fill',
    title: 'fill',
    unit: '% of volume',
    help: 'Share of the hitbox\u2019s volume that the convex hull of its vertices fills; if it is low, blows at the air beside the body count as hits',
    badness: ({ box }) => fill(box) ?? 2,
    text: ({ box }) => {
      const share = fill(box);
      return share === null ? 'flat' : `${(100 * share).toFixed(0)} %`;
    },
  },
  {
    key: 'ratio',
    title: '× least',
    unit: 'volume',
    help: 'Volume of the hitbox divided by the volume of the smallest box around the same points',
    badness: ({ box }) => -(box.min_volume_ratio ?? 0),
    text: ({ box }) => box.min_volume_ratio?.toFixed(2) ?? '–',
  },
];

/** Returns whether a search for a joint or a tag finds a hitbox. */
export function isFound({ joint, tags }: Pick<Hitbox, 'joint' | 'tags'>, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [joint, ...tags].some((word) => word.toLowerCase().includes(wanted));
}

/** Escapes are measured after a bake. A baked file without a surface, and the preset `always`, have no escapes of single joints. */
function unknownEscape(bake: Baked, escapes: Escape[] | null): Row['unknown'] {
  if (escapes === null) return '…';
  return escapes.length === 0 && bake.coverage?.worst ? '?' : null;
}

export function hitboxTable(
  { selection }: Page,
  actions: Actions,
  { bake: whole, escapes }: Loaded,
  search: string,
  sort: SortKey,
  sortBy: (key: SortKey) => void,
): HTMLElement {
  const { bake, colors } = whole;
  const unknown = unknownEscape(bake, escapes);
  const of = new Map(escapes?.map((escape) => [escape.joint, escape]));
  const column = COLUMNS.find(({ key }) => key === sort)!;
  const rows = bake.boxes
    .filter((box) => isFound(box, search))
    .map((box): Row => ({ box, escape: of.get(box.joint) ?? null, unknown }))
    .sort((a, b) => {
      const [x, y] = [column.badness(a), column.badness(b)];
      if (x === y) return a.box.joint_index - b.box.joint_index;
      return x < y ? -1 : 1;
    });
  const head = COLUMNS.map(({ key, title, unit, help }) =>
    h(
      'th',
      { scope: 'col', 'aria-sort': key === sort ? 'ascending' : 'none' },
      button(`sort ${key}`, () => sortBy(key), { title: help }, title, unit && h('small', {}, unit)),
    ),
  );
  const body = rows.map((row) => {
    const { box } = row;
    const tags = box.tags.map((tag) => h('span', { class: 'tag' }, tag));
    const [, ...rest] = COLUMNS.map((each) => each.text(row));
    return actionRow(
      {
        'aria-selected': String(box.joint_index === selection.joint),
        'data-joint': box.joint,
        'data-hidden': String(selection.hidden.has(box.joint_index)),
        'data-key': `row ${box.joint}`,
        title: `${box.joint}: ${shapeAndSize(whole, box)}`,
      },
      () => actions.selecting.select(box.joint_index),
      h('th', { scope: 'row' }, h('div', {}, swatch(colors[box.joint_index]), jointName(box.joint), ...tags)),
      ...rest.map((text) => h('td', {}, text)),
    );
  });
  return table('boxes', head, body);
}
