// The panel of a duel: its settings and its contacts.

import type { App } from '../app/app';
import { partsOf } from '../app/parts';
import { contactTable, contacts, lightContacts, touching, touchTable } from './contacts';
import { h, replaceKeepingFocus } from './dom';
import { clipChoice, numberField, opponentFields, selectField } from './opponentFields';

export class DuelPanel {
  private readonly now = h('div', { class: 'touching' });
  private readonly all = h('div', { class: 'all-contacts' });
  private unfolded: string | null = null;
  private shownTick: unknown = null;
  private shownDuel: unknown = null;

  constructor(private readonly app: App) {}

  parts(): (Node | string)[] {
    const { app } = this;
    const duel = app.encounter.settings;
    const ticks = app.encounter.duel?.ticks ?? [];
    const withContact = ticks.filter((tick) => tick.pairs.length > 0);
    const first = withContact[0];
    const b = app.listing.characters[duel.other]?.name ?? '';
    this.shownTick = this.shownDuel = null;
    this.update();
    return [
      h('h2', {}, `${app.name} (A) against ${b} (B)`),
      h(
        'div',
        { class: 'fields' },
        selectField('clip of A', clipChoice('Clip of A', app.clips, duel.clipA, (clipA) => app.setDuel({ clipA }), 'clip-a')),
        ...opponentFields(app),
        numberField('fps', 'ticks a second', duel.fps, 1, (fps) => fps > 0 && app.setDuel({ fps })),
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

  /** Shows the present time. It changes only what differs, because it runs in each frame. */
  update(): void {
    const { app } = this;
    const { tick } = app;
    const { duel } = app.encounter;
    if (this.shownDuel !== duel) {
      this.shownDuel = duel;
      const found = duel ? contacts(duel, partsOf(app.bake), partsOf(app.otherBake)) : [];
      const empty = h('p', { class: 'faint' }, duel ? 'The characters never touch. Lower the distance.' : '');
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
