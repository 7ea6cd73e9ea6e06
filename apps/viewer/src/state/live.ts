// The stream of a body tracker that moves the character, and the log of contacts.

import { floats } from '../data/packed';
import type { LiveQuery, Source } from '../data/source';
import type { LiveMoment } from '../data/serverTypes';
import type { PartOf } from './parts';

/** The largest number of entries in the log. */
const MOST_CONTACTS = 100;

/** The time over which packets are counted, in seconds. */
const RATE_PERIOD = 0.5;

/** Two parts of the bodies that touched for a while, by any joints. */
export interface LiveContact {
  a: string;
  b: string;
  /** The start of the contact, in seconds on the stream's clock. */
  start: number;
  /** The end of the contact; `null` while the parts touch. */
  end: number | null;
}

export class LiveFeed {
  /** The opponent's transform from model space to world space; `null` until the stream has begun. */
  place: number[] | null = null;
  moment: LiveMoment | null = null;
  /** The transforms of the player's joints at the latest moment, from joint space to the parent's space: 12 numbers each. */
  joints: Float32Array = new Float32Array();
  /** The contacts, the latest first. */
  readonly contacts: LiveContact[] = [];
  /** Increases with every change of `contacts`. */
  changes = 0;
  packetsPerSecond = 0;
  private readonly abort = new AbortController();
  private readonly open = new Map<string, LiveContact>();
  private counted = { time: 0, packets: 0 };
  private isFresh = false;

  constructor(
    private readonly partOfA: PartOf,
    private readonly partOfB: PartOf,
  ) {}

  /** Follows the stream to its end. Calls `begun` when the opponent's place is known. */
  async follow(source: Source, query: LiveQuery, begun: () => void): Promise<void> {
    await source.follow(query, this.abort.signal, (line) => {
      if (this.abort.signal.aborted) return;
      if ('place' in line) {
        this.place = line.place;
        begun();
      } else {
        this.take(line);
      }
    });
  }

  stop(): void {
    this.abort.abort();
  }

  /** Returns whether a moment has arrived since the last call. */
  takeFresh(): boolean {
    const { isFresh } = this;
    this.isFresh = false;
    return isFresh;
  }

  private take(moment: LiveMoment): void {
    this.moment = moment;
    this.joints = floats(moment.joints);
    this.isFresh = true;
    this.log(moment);
    const seconds = moment.time - this.counted.time;
    if (seconds < RATE_PERIOD) return;
    this.packetsPerSecond = (moment.packets.all - this.counted.packets) / seconds;
    this.counted = { time: moment.time, packets: moment.packets.all };
  }

  private log({ time, touches }: LiveMoment): void {
    const now = new Set<string>();
    for (const touch of touches) {
      const [a, b] = [this.partOfA(touch.a), this.partOfB(touch.b)];
      const key = JSON.stringify([a, b]);
      now.add(key);
      if (this.open.has(key)) continue;
      const contact: LiveContact = { a, b, start: time, end: null };
      this.open.set(key, contact);
      this.contacts.unshift(contact);
      this.contacts.splice(MOST_CONTACTS);
      this.changes++;
    }
    for (const [key, contact] of this.open) {
      if (now.has(key)) continue;
      contact.end = time;
      this.open.delete(key);
      this.changes++;
    }
  }
}
