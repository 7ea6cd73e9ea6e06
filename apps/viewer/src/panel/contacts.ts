// The contacts of a duel: the parts of the bodies that touch, and the ticks of each contact.

import type { Duel, Tick } from '../data/types';
import { length } from '../data/units';
import { actionRow, button, h, table } from '../dom';
import type { PartOf } from '../state/parts';
import { jointName } from './name';

/** A contact of two parts of the bodies, such as fist and torso, by any joints, over some ticks. */
export interface Contact {
  a: string;
  b: string;
  /** The numbers of the first and the last tick of the contact. */
  first: number;
  last: number;
  /** The largest depth, in model units, and the tick of that depth. */
  depth: number;
  deepest: number;
  /** The pairs of joints that touch. */
  joints: Map<string, { a: string; b: string; depth: number }>;
}

/** Groups the pairs of a tick by the parts of the bodies, the deepest first. */
export function touching(tick: Tick | null, partOfA: PartOf, partOfB: PartOf): Contact[] {
  const now = tick?.tick ?? 0;
  return gathered([tick?.pairs ?? []], partOfA, partOfB)
    .map((contact) => ({ ...contact, first: now, last: now, deepest: now }))
    .sort((a, b) => b.depth - a.depth);
}

/** Joins consecutive ticks to contacts, sorted by first tick, then in the order of the pairs in the ticks. */
export function contacts(duel: Duel, partOfA: PartOf, partOfB: PartOf): Contact[] {
  return gathered(duel.ticks.map(({ pairs }) => pairs), partOfA, partOfB);
}

function gathered(ticks: Tick['pairs'][], partOfA: PartOf, partOfB: PartOf): Contact[] {
  const all: Contact[] = [];
  let open = new Map<string, Contact>();
  ticks.forEach((pairs, tick) => {
    const still = new Map<string, Contact>();
    for (const pair of pairs) {
      const [a, b] = [partOfA(pair.a), partOfB(pair.b)];
      const key = JSON.stringify([a, b]);
      let contact = still.get(key) ?? open.get(key);
      if (!contact) {
        contact = { a, b, first: tick, last: tick, depth: pair.depth, deepest: tick, joints: new Map() };
        all.push(contact);
      }
      contact.last = tick;
      if (pair.depth > contact.depth) [contact.depth, contact.deepest] = [pair.depth, tick];
      const joints = JSON.stringify([pair.a, pair.b]);
      const known = contact.joints.get(joints);
      if (!known || pair.depth > known.depth) contact.joints.set(joints, pair);
      still.set(key, contact);
    }
    open = still;
  });
  return all;
}

/** The skin of a pair of joints: `null` if it is not tested yet. */
export type SkinTouches = (a: string, b: string) => 'touches' | 'inside' | 'apart' | null;

/** Returns a function that says what the skins of two joints do at a tick. */
export function skinTouches(tick: Tick | null): SkinTouches {
  const { skin } = tick ?? {};
  if (!skin) return () => null;
  const known = new Map(skin.map(({ a, b, point }) => [JSON.stringify([a, b]), point ? ('touches' as const) : ('inside' as const)]));
  return (a, b) => known.get(JSON.stringify([a, b])) ?? 'apart';
}

/** Returns the pairs of joints whose skins touch while their hitboxes do not. */
export function touchesOutside(tick: Tick | null): string[] {
  const boxes = new Set(tick?.pairs.map(({ a, b }) => JSON.stringify([a, b])));
  return (tick?.skin ?? []).filter(({ a, b }) => !boxes.has(JSON.stringify([a, b]))).map(({ a, b }) => `${a} ${b}`);
}

/** Lists the parts that touch at a tick, and what their skins do; a click on a row shows its joints. */
export function touchTable(contacts: Contact[], skin: SkinTouches, unfolded: string | null, unfold: (key: string | null) => void): HTMLElement {
  const cell = (state: ReturnType<SkinTouches>) => h('td', { 'data-skin': state ?? '' }, state === 'apart' ? '–' : (state ?? '…'));
  const rows = contacts.flatMap((contact) => {
    const key = `${contact.a} ${contact.b}`;
    const isOpen = unfolded === key;
    const count = contact.joints.size;
    const pairsOf = `${count} ${count === 1 ? 'pair' : 'pairs'}`;
    const toggle = button(`fold ${key}`, () => unfold(isOpen ? null : key), { class: 'fold', 'aria-expanded': String(isOpen) }, pairsOf);
    const states = [...contact.joints.values()].map(({ a, b }) => skin(a, b));
    const strongest = (['touches', 'inside', 'apart'] as const).find((state) => states.includes(state)) ?? null;
    const row = h('tr', { 'data-touch': key }, h('td', {}, jointName(contact.a)), h('td', {}, jointName(contact.b)), h('td', {}, toggle), cell(strongest), h('td', {}, length(contact.depth)));
    const pairs = isOpen ? [...contact.joints.values()].sort((x, y) => y.depth - x.depth) : [];
    return [row, ...pairs.map(({ a, b, depth }) => h('tr', { class: 'pair' }, h('td', {}, jointName(a)), h('td', {}, jointName(b)), h('td', {}, ''), cell(skin(a, b)), h('td', {}, length(depth))))];
  });
  return table('pairs', ['A', 'B', 'joints', 'skin', 'depth'], rows);
}

/** Lists all contacts. A click on a row jumps to its deepest tick; the contacts of the shown tick are lit. */
export function contactTable(duel: Duel, contacts: Contact[], now: number, seek: (time: number) => void): HTMLElement {
  const time = (tick: number) => duel.ticks[tick]?.time ?? 0;
  const last = duel.ticks.at(-1)?.time || 1;
  const rows = contacts.map((contact) => {
    const width = Math.max((100 * (time(contact.last) - time(contact.first))) / last, 1.5);
    const bar = h('i', { style: `left: ${(100 * time(contact.first)) / last}%; width: ${width}%` });
    return actionRow(
      {
        'data-first': String(contact.first),
        'data-last': String(contact.last),
        title: `${contact.a} touches ${contact.b} from ${time(contact.first).toFixed(2)} to ${time(contact.last).toFixed(2)} s, deepest at ${time(contact.deepest).toFixed(2)} s; ${contact.joints.size} pairs of joints`,
        'data-key': `contact ${contact.a} ${contact.b} ${contact.first}`,
      },
      () => seek(time(contact.deepest)),
      h('td', {}, jointName(contact.a)),
      h('td', {}, jointName(contact.b)),
      h('td', { class: 'lane' }, h('span', {}, bar)),
      h('td', {}, length(contact.depth)),
    );
  });
  const list = table('contacts', ['A', 'B', 'when', 'depth'], rows);
  lightContacts(list, now);
  return list;
}

/** Lights the contacts of a tick. */
export function lightContacts(table: HTMLElement, now: number): void {
  for (const row of table.querySelectorAll<HTMLElement>('tr[data-first]')) {
    const lit = String(Number(row.dataset.first) <= now && now <= Number(row.dataset.last));
    if (row.dataset.lit !== lit) row.dataset.lit = lit;
  }
}
