// Asks the server for what stands opposite the character: the opponent, the duel, and the stream of a tracker.

import type { Duel } from '../data/types';
import type { Loaded } from '../state/library';
import { LiveFeed } from '../state/live';
import type { Page } from '../state/page';
import { partsOf } from '../state/parts';

/** The character that comes after the one on the page, by number. */
function next({ index, listing }: Page): number {
  return index + 1 < listing.characters.length ? index + 1 : 0;
}

/** Chooses the next character as the opponent, at a distance of half the height, if no opponent was chosen yet. */
export function setDefaults(page: Page): void {
  page.encounter.setDefaults(next(page), Number((0.5 * page.height).toPrecision(2)));
}

/** Lets the server bake the default opponent of a duel in advance, so that a duel begins at once. */
export function bakeAhead(page: Page): void {
  if (!page.hasServer || page.hasOpponent || next(page) === page.index) return;
  // The page reports a character that cannot be baked when the user chooses it.
  page.source.bake(next(page), {}).catch(() => {});
}

export async function loadOpponent(page: Page, first: Loaded): Promise<Loaded> {
  const { settings } = page.encounter;
  const { other } = settings;
  const { opponent } = page.cast;
  const present = opponent?.bake.bake.name === page.otherName ? opponent : null;
  const second = await page.library.load(other, {}, { present, other: other === page.index ? first : null });
  const firstClip = ({ actor }: Loaded) => actor.clips[0]?.name ?? '';
  settings.clipA ??= firstClip(first);
  settings.clipB ??= second.actor.clips.find(({ name }) => page.mode === 'live' && name === 'idle')?.name ?? firstClip(second);
  return second;
}

/** Runs the duel, with the skins if it is `exact`. */
export function loadDuel({ index, encounter, source }: Page, exact = false): Promise<Duel> {
  const { other, clipA, clipB, distance, turn, fps } = encounter.settings;
  return source.duel({ a: index, b: other, clipA: clipA ?? '', clipB: clipB ?? '', distance, turn, fps, exact });
}

/**
 * Follows the tracker. Calls `begun` when the opponent's place is known; its argument is true if no place was known before.
 * Calls `fail` if the server refuses the stream.
 */
export function follow(page: Page, begun: (isFirst: boolean) => void, fail: (error: unknown) => void): void {
  const { encounter } = page;
  const before = encounter.feed?.place ?? null;
  encounter.end();
  const feed = new LiveFeed(partsOf(page.bake), partsOf(page.otherBake));
  feed.place = before;
  encounter.feed = feed;
  const { other, clipB, distance, turn } = encounter.settings;
  const query = { player: page.index, opponent: other, clip: clipB ?? '', distance, turn };
  feed.follow(page.source, query, () => begun(before === null)).catch((error: unknown) => feed === encounter.feed && fail(error));
}
