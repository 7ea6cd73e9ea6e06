// The panel of a body tracker: its packets, the present contacts, and the log of contacts.

import { h, table } from '../dom';
import type { LiveFeed } from '../state/live';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { jointName } from './name';
import { opponentFields } from './opponentFields';

export class LivePanel {
  private readonly status = h('p', { class: 'tracker', role: 'status' });
  private readonly log = h('div', { class: 'live-log' });
  private shown = { feed: null as LiveFeed | null, changes: -1 };

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {}

  parts(): (Node | string)[] {
    const { page } = this;
    this.shown = { feed: null, changes: -1 };
    this.update();
    return [
      h('h2', {}, `A tracker moves ${page.name} (A); ${page.otherName} (B) stands opposite`),
      h('div', { class: 'fields' }, ...opponentFields(page, this.actions)),
      this.status,
      this.log,
    ];
  }

  /** Shows the stream. It changes only what differs, because it runs in each frame. */
  update(): void {
    const { feed } = this.page.encounter;
    const status = this.statusOf(feed);
    if (this.status.textContent !== status) this.status.textContent = status;
    const changes = feed?.changes ?? 0;
    if (this.shown.feed === feed && this.shown.changes === changes) return;
    this.shown = { feed, changes };
    this.log.replaceChildren(h('h2', {}, 'Contacts'), feed && feed.contacts.length > 0 ? contactLog(feed) : h('p', { class: 'faint' }, 'None yet.'));
  }

  private statusOf(feed: LiveFeed | null): string {
    const packets = feed?.moment?.packets;
    if (!feed || !packets) return 'Connecting…';
    const address = this.page.listing.tracker ?? '';
    if (packets.all === 0) {
      return `Waiting for VMC packets on ${address}. Start a tracker's VMC sender, or: bonebox perform CHARACTER --clip CLIP --vmc ${address}`;
    }
    return `${feed.packetsPerSecond.toFixed(0)} packets/s on ${address}; ${packets.lost} lost, ${packets.late} late, ${packets.damaged} damaged`;
  }
}

/** Lists the contacts, the latest first; contacts that last are lit. */
function contactLog({ contacts }: LiveFeed): HTMLElement {
  const rows = contacts.map(({ a, b, start, end }) =>
    h(
      'tr',
      { 'data-live': `${a} ${b}`, 'data-lit': String(end === null) },
      h('td', {}, jointName(a)),
      h('td', {}, jointName(b)),
      h('td', {}, `${start.toFixed(2)} s`),
      h('td', {}, end === null ? 'touches' : `${(end - start).toFixed(2)} s`),
    ),
  );
  return table('contacts', ['A', 'B', 'from', 'for'], rows);
}
