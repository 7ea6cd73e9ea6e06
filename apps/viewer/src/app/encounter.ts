// Two characters opposite each other: in a duel of two clips, or with a player that a tracker moves.

import type { Duel, Tick } from '../data/types';
import type { App } from './app';
import { DEFAULT_DUEL, tickAt, type DuelSettings } from './duel';
import type { Loaded } from './library';
import { LiveFeed } from './live';
import { partsOf } from './parts';

export class Encounter {
  settings: DuelSettings = { ...DEFAULT_DUEL };
  duel: Duel | null = null;
  /** The reason why the duel does not say which skins touch; `null` if it does, or will. */
  skinProblem: string | null = null;
  /** The stream of the tracker, while the page shows it. */
  feed: LiveFeed | null = null;
  /** True if the user, an address or `setDefaults` has chosen the opponent. */
  private isChosen = false;

  constructor(private readonly app: App) {}

  /** The opponent's transform from model space to world space: 12 numbers; `null` until it is known. */
  get place(): number[] | null {
    return this.duel?.place ?? this.feed?.place ?? null;
  }

  /** The tick of the duel at a time in seconds. */
  tickAt(time: number): Tick | null {
    return this.duel && tickAt(this.duel, this.settings.fps, time);
  }

  /** Ends the duel and the stream of the tracker. */
  end(): void {
    this.duel = null;
    this.skinProblem = null;
    this.feed?.stop();
    this.feed = null;
  }

  /** Applies the state that an address describes. */
  restore(settings: Partial<DuelSettings>): void {
    if (Object.keys(settings).length === 0) return;
    this.settings = { ...this.settings, ...settings };
    this.isChosen = true;
  }

  /** Chooses the next character as the opponent, at a distance of half the height, if no opponent was chosen yet. */
  setDefaults(): void {
    const { app, settings } = this;
    if (this.isChosen) return;
    this.isChosen = true;
    const many = app.listing.characters.length;
    settings.other = many > 1 ? (app.index + 1) % many : app.index;
    settings.distance = Number((0.5 * app.height).toPrecision(2));
  }

  /** Lets the server bake the default opponent of a duel in advance, so that a duel begins at once. */
  bakeAhead(): void {
    const { app } = this;
    const next = app.index + 1 < app.listing.characters.length ? app.index + 1 : 0;
    if (!app.hasServer || app.hasOpponent || next === app.index) return;
    // The page reports a character that cannot be baked when the user chooses it.
    app.source.bake(next, {}).catch(() => {});
  }

  async loadOpponent(first: Loaded): Promise<Loaded> {
    const { app, settings } = this;
    const { other } = settings;
    const { opponent } = app.cast;
    const present = opponent?.bake.bake.name === app.listing.characters[other]?.name ? opponent : null;
    const second = await app.library.load(other, {}, { present, other: other === app.index ? first : null });
    const firstClip = ({ actor }: Loaded) => actor.clips[0]?.name ?? '';
    settings.clipA ??= firstClip(first);
    settings.clipB ??= second.actor.clips.find(({ name }) => app.mode === 'live' && name === 'idle')?.name ?? firstClip(second);
    return second;
  }

  /** Runs the duel, with the skins if it is `exact`. */
  loadDuel(exact = false): Promise<Duel> {
    const { other, clipA, clipB, distance, turn, fps } = this.settings;
    const query = { a: this.app.index, b: other, clipA: clipA ?? '', clipB: clipB ?? '', distance, turn, fps, exact };
    return this.app.source.duel(query, {});
  }

  /** Follows the tracker. Calls `begun` when the opponent's place is known; its argument is true if no place was known before. */
  follow(begun: (isFirst: boolean) => void): void {
    const { app, settings } = this;
    const before = this.feed?.place ?? null;
    this.end();
    const feed = new LiveFeed(partsOf(app.bake), partsOf(app.otherBake));
    feed.place = before;
    this.feed = feed;
    const { other, clipB, distance, turn } = settings;
    const query = { player: app.index, opponent: other, clip: clipB ?? '', distance, turn };
    feed.follow(app.source, query, () => begun(before === null)).catch((error: unknown) => feed === this.feed && app.fail(error));
  }
}
