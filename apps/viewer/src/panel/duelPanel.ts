// The panel of a duel: its settings and its contacts.

import type { Tick } from '../data/types';
import { button, h, labeled, replaceKeepingFocus } from '../dom';
import type { Page } from '../state/page';
import { partsOf } from '../state/parts';
import type { Actions } from './actions';
import { contactTable, contacts, lightContacts, skinTouches, touchesOutside, touching, touchTable } from './contacts';
import { clipChoice, numberField, opponentFields } from './opponentFields';
import { markStrike, strikeTable } from './strikeTable';

export class DuelPanel {
  private readonly strikes = h('div', { class: 'all-strikes' });
  private readonly now = h('div', { class: 'touching' });
  private readonly all = h('div', { class: 'all-contacts' });
  private unfolded: string | null = null;
  private shownStrike: unknown = null;
  private shownTick: unknown = null;
  private shownDuel: unknown = null;

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {}

  parts(): (Node | string)[] {
    const { page, actions } = this;
    const { settings, duel } = page.encounter;
    const ticks = duel?.ticks ?? [];
    const withContact = ticks.filter((tick) => tick.pairs.length > 0);
    const withSkin = ticks.filter((tick) => (tick.skin?.length ?? 0) > 0);
    const jump = (text: string, to: Tick | undefined) =>
      to && button(text, () => actions.clip.seek(to.time), { class: 'bookmark' }, h('span', {}, text), h('b', {}, `${to.time.toFixed(2)} s`));
    this.shownTick = this.shownDuel = this.shownStrike = null;
    this.strikes.replaceChildren(...strikeTable(page, actions));
    this.update();
    return [
      h('h2', {}, `${page.name} (A) against ${page.otherName} (B)`),
      h(
        'div',
        { class: 'fields' },
        labeled('clip of A', clipChoice('Clip of A', page.clips, settings.clipA, (clipA) => actions.setDuel({ clipA }), 'clip-a')),
        ...opponentFields(page, actions),
        numberField('fps', 'ticks per second', settings.fps, 1, (fps) => fps > 0 && actions.setDuel({ fps })),
      ),
      h('p', {}, h('i', { class: 'swatch near' }), `${withContact.length} of ${ticks.length} ticks with contact of the hitboxes`),
      h('p', { class: 'skin' }, h('i', { class: 'swatch hit' }), this.skinState(withSkin.length)),
      jump('First contact', withContact[0]) ?? '',
      jump('First contact of the skin', withSkin[0]) ?? '',
      this.strikes,
      this.now,
      this.all,
    ];
  }

  /** The contacts of the skin in words. */
  private skinState(withSkin: number): string {
    const { duel, skinProblem } = this.page.encounter;
    if (skinProblem !== null) return `The skin was not tested: ${skinProblem}`;
    if (!duel?.ticks[0]?.skin) return 'testing the skin…';
    return `${withSkin} of ${duel.ticks.length} ticks with contact of the skin`;
  }

  /** Shows the present time. It changes only what differs, because it runs in each frame. */
  update(): void {
    const { page, actions } = this;
    const { tick } = page;
    const { duel } = page.encounter;
    if (this.shownStrike !== page.strike) {
      this.shownStrike = page.strike;
      markStrike(this.strikes, page.strike && duel ? duel.strikes.indexOf(page.strike) : null);
    }
    if (this.shownDuel !== duel) {
      this.shownDuel = duel;
      const found = duel ? contacts(duel, partsOf(page.bake), partsOf(page.otherBake)) : [];
      const empty = h('p', { class: 'faint' }, duel ? 'The characters never touch. Lower the distance.' : '');
      const table = duel && found.length > 0 ? contactTable(duel, found, tick?.tick ?? 0, (time) => actions.clip.seek(time)) : empty;
      replaceKeepingFocus(this.all, h('h2', {}, 'All contacts'), table);
    }
    if (this.shownTick === tick) return;
    this.shownTick = tick;
    lightContacts(this.all, tick?.tick ?? 0);
    const found = touching(tick, partsOf(page.bake), partsOf(page.otherBake));
    const count = found.length === 0 ? 'No contact' : `${found.length} ${found.length === 1 ? 'contact' : 'contacts'}`;
    const unfold = (key: string | null) => {
      this.unfolded = key;
      this.shownTick = null;
      this.update();
    };
    const table = found.length > 0 ? touchTable(found, skinTouches(tick), this.unfolded, unfold) : '';
    const outside = touchesOutside(tick);
    const more = outside.length > 0 ? h('p', { class: 'faint' }, `outside the hitboxes, the skin touches: ${outside.join(', ')}`) : '';
    replaceKeepingFocus(this.now, h('h2', {}, `${count} at tick ${tick?.tick ?? 0}`), table, more);
  }
}
