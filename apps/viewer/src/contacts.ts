// Who touches whom in a duel, and from when to when.

import { h } from './dom';
import type { Duel } from './types';

/** A pair that touches for a while. */
export interface Contact {
  a: string;
  b: string;
  /** Ticks by number, both in. */
  first: number;
  last: number;
  /** The deepest of it. */
  depth: number;
  deepest: number;
}

/** Ticks in a row are one contact; sorted by its first tick, then as the ticks list their pairs. */
export function contacts(duel: Duel): Contact[] {
  const all: Contact[] = [];
  let open = new Map<string, Contact>();
  duel.ticks.forEach(({ pairs }, tick) => {
    const still = new Map<string, Contact>();
    for (const { a, b, depth } of pairs) {
      const key = JSON.stringify([a, b]);
      // A joint with two boxes is in two pairs of a tick.
      let contact = still.get(key) ?? open.get(key);
      if (!contact) {
        contact = { a, b, first: tick, last: tick, depth, deepest: tick };
        all.push(contact);
      }
      contact.last = tick;
      if (depth > contact.depth) [contact.depth, contact.deepest] = [depth, tick];
      still.set(key, contact);
    }
    open = still;
  });
  return all;
}

/** A row for each, to jump to its deepest tick; those of the tick that is shown are lit. */
export function contactTable(duel: Duel, now: number, seek: (time: number) => void): HTMLElement {
  const time = (tick: number) => duel.ticks[tick]?.time ?? 0;
  const last = duel.ticks.at(-1)?.time || 1;
  const rows = contacts(duel).map((contact) => {
    const bar = h('i');
    bar.style.left = `${(100 * time(contact.first)) / last}%`;
    bar.style.width = `${Math.max((100 * (time(contact.last) - time(contact.first))) / last, 1.5)}%`;
    return h(
      'tr',
      {
        'data-lit': String(contact.first <= now && now <= contact.last),
        title: `${time(contact.first).toFixed(2)} to ${time(contact.last).toFixed(2)} s, deepest at ${time(contact.deepest).toFixed(2)} s`,
        tabIndex: 0,
        'data-key': `contact ${contact.a} ${contact.b} ${contact.first}`,
        onclick: () => seek(time(contact.deepest)),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === 'Enter') seek(time(contact.deepest));
        },
      },
      h('td', {}, contact.a),
      h('td', {}, contact.b),
      h('td', { class: 'lane' }, h('span', {}, bar)),
      h('td', {}, contact.depth.toFixed(3)),
    );
  });
  const head = ['A', 'B', 'when', 'depth'].map((text) => h('th', { scope: 'col' }, text));
  return h('table', { class: 'contacts' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
}
