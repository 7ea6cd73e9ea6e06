// The settings of a duel, and who touches whom.

import type { App } from '../app/app';
import { contactTable, contacts, lightContacts, partsOf, touching, touchTable } from './contacts';
import { choice, h, replaceKeepingFocus } from './dom';

export class DuelPanel {
  private readonly now = h('div', { class: 'touching' });
  private readonly all = h('div', { class: 'all-contacts' });
  private unfolded: string | null = null;
  private shownTick: unknown = null;
  private shownDuel: unknown = null;

  constructor(private readonly app: App) {}

  parts(): (Node | string)[] {
    const { app } = this;
    const { duelSettings: duel } = app;
    const characters = app.listing.characters.map(({ name }, index) => ({ value: String(index), text: name }));
    const clips = (names: string[]) => [{ value: '', text: 'rest pose' }, ...names.map((name) => ({ value: name, text: name }))];
    const number = (id: string, label: string, value: number, step: number, change: (value: number) => void) => {
      const input = h('input', { type: 'number', value: String(value), step: String(step), id: `duel-${id}` });
      input.addEventListener('change', () => Number.isFinite(input.valueAsNumber) && change(input.valueAsNumber));
      return h('label', { for: `duel-${id}` }, h('span', {}, label), input);
    };
    const field = (label: string, select: HTMLSelectElement) => h('label', { for: select.id }, h('span', {}, label), select);
    const ticks = app.duel?.ticks ?? [];
    const withContact = ticks.filter((tick) => tick.pairs.length > 0);
    const first = withContact[0];
    const b = app.listing.characters[duel.other]?.name ?? '';
    const ofB = app.otherBake?.bake.clips.map(({ name }) => name) ?? [];
    this.shownTick = this.shownDuel = null;
    this.update();
    return [
      h('h2', {}, `${app.name} (A) against ${b} (B)`),
      h(
        'div',
        { class: 'fields' },
        field('clip of A', choice('Clip of A', clips(app.clips), duel.clipA ?? '', (clipA) => app.setDuel({ clipA }), 'clip-a')),
        field('B is', choice('B', characters, String(duel.other), (value) => app.setDuel({ other: Number(value) }), 'other')),
        field('clip of B', choice('Clip of B', clips(ofB), duel.clipB ?? '', (clipB) => app.setDuel({ clipB }), 'clip-b')),
        number('distance', 'distance in m', duel.distance, 0.05, (distance) => app.setDuel({ distance })),
        number('turn', 'turn of B in °', duel.turn, 15, (turn) => app.setDuel({ turn })),
        number('fps', 'ticks a second', duel.fps, 1, (fps) => fps > 0 && app.setDuel({ fps })),
      ),
      h('p', {}, `${withContact.length} of ${ticks.length} ticks with contact`),
      first
        ? h(
            'button',
            { type: 'button', class: 'bookmark', 'data-key': 'first contact', onclick: () => app.seek(first.time) },
            h('span', {}, 'First contact'),
            h('b', {}, `${first.time.toFixed(2)} s`),
          )
        : '',
      this.now,
      this.all,
    ];
  }

  /** Follows the time: what stays the same is left alone, for this happens at each frame. */
  update(): void {
    const { app } = this;
    const { tick, duel } = app;
    if (this.shownDuel !== duel) {
      this.shownDuel = duel;
      const found = duel ? contacts(duel, partsOf(app.bake), partsOf(app.otherBake)) : [];
      const empty = h('p', { class: 'faint' }, duel ? 'They never touch: lower the distance.' : '');
      const table = duel && found.length > 0 ? contactTable(duel, found, tick?.tick ?? 0, (time) => app.seek(time)) : empty;
      replaceKeepingFocus(this.all, h('h2', {}, 'All contacts'), table);
    }
    if (this.shownTick === tick) return;
    this.shownTick = tick;
    lightContacts(this.all, tick?.tick ?? 0);
    const found = touching(tick, partsOf(app.bake), partsOf(app.otherBake));
    const count = found.length === 0 ? 'No contact' : `${found.length} ${found.length === 1 ? 'contact' : 'contacts'}`;
    const unfold = (key: string | null) => {
      this.unfolded = key;
      this.shownTick = null;
      this.update();
    };
    const table = found.length > 0 ? touchTable(found, this.unfolded, unfold) : '';
    replaceKeepingFocus(this.now, h('h2', {}, `${count} at tick ${tick?.tick ?? 0}`), table);
  }
}
