// Two characters opposite each other: in a duel of two clips, or with a player that a tracker moves.

import type { Duel, DuelStrike, Tick } from '../data/types';
import type { LiveFeed } from './live';

export interface DuelSettings {
  /** The second character, by number. */
  other: number;
  /** The clips by name. An empty name is the rest pose, and `null` means that no clip was chosen yet. */
  clipA: string | null;
  clipB: string | null;
  /** The distance between the characters, in meters. */
  distance: number;
  /** The turn of the opponent, in degrees. */
  turn: number;
  /** The number of ticks per second. */
  fps: number;
}

/** Times that differ by less are the same, in seconds. */
const SAME = 1e-6;

export class Encounter {
  settings: DuelSettings = { other: 0, clipA: null, clipB: null, distance: 1, turn: 0, fps: 30 };
  duel: Duel | null = null;
  /** The reason why the duel does not say which skins touch; `null` if it does, or will. */
  skinProblem: string | null = null;
  /** True if playback freezes at each strike. */
  freezes = true;
  /** The stream of the tracker, while the page shows it. */
  feed: LiveFeed | null = null;
  /** True if the user, an address or `setDefaults` has chosen the opponent. */
  private isChosen = false;

  /** The opponent's transform from model space to world space: 12 numbers; `null` until it is known. */
  get place(): number[] | null {
    return this.duel?.place ?? this.feed?.place ?? null;
  }

  /** Returns the tick at a time in seconds; `null` if there is no duel or the duel has no ticks. */
  tickAt(time: number): Tick | null {
    const ticks = this.duel?.ticks ?? [];
    const index = Math.floor(time * this.settings.fps + 1e-3);
    return ticks[Math.min(index, ticks.length - 1)] ?? null;
  }

  /** Returns the first strike at exactly this time; `null` if there is none. */
  strikeAt(time: number): DuelStrike | null {
    return this.duel?.strikes.find((strike) => Math.abs(strike.time - time) < SAME) ?? null;
  }

  /** Returns the first strike that playback passes on its way from a time to another, which may be after the end of a loop. */
  strikePassed(from: number, to: number): DuelStrike | null {
    const strikes = this.duel?.strikes ?? [];
    const after = strikes.filter(({ time }) => time > from + SAME);
    if (to >= from) return after.find(({ time }) => time <= to) ?? null;
    return after[0] ?? strikes.find(({ time }) => time <= to) ?? null;
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

  /** Chooses an opponent and its distance in meters, if no opponent was chosen yet. */
  setDefaults(other: number, distance: number): void {
    if (!this.isChosen) Object.assign(this.settings, { other, distance });
    this.isChosen = true;
  }
}
