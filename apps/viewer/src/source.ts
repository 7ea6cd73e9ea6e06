// Where the page's data comes from: the server, or the report it is embedded in.

import type { Bake, Duel, DuelQuery, Embedded, Listing, Model } from './types';

/** Options by key; a key that is not there is left at its default. */
export type Options = Record<string, string>;

export interface Source {
  /** Whether there is a server that bakes anew, lets characters duel, and sees files change. */
  readonly live: boolean;
  listing(): Promise<Listing>;
  model(id: number): Promise<Model>;
  bake(id: number, options: Options): Promise<Bake>;
  duel(query: DuelQuery, options: Options): Promise<Duel>;
  /** Changes when a file of that character, or bonebox.toml, does. */
  version(id: number): Promise<string>;
}

/** The server said no, in words for people. */
export class Refused extends Error {}

class Server implements Source {
  readonly live = true;

  listing(): Promise<Listing> {
    return get('api/listing');
  }

  model(id: number): Promise<Model> {
    return get(`api/model?id=${id}`);
  }

  bake(id: number, options: Options): Promise<Bake> {
    return get(`api/bake?${parameters({ id: String(id) }, options)}`);
  }

  duel(query: DuelQuery, options: Options): Promise<Duel> {
    const { a, b, clipA, clipB, distance, turn, fps } = query;
    const fixed = {
      a: String(a),
      b: String(b),
      clip_a: clipA,
      clip_b: clipB,
      distance: String(distance),
      turn: String(turn),
      fps: String(fps),
    };
    return get(`api/duel?${parameters(fixed, options)}`);
  }

  async version(id: number): Promise<string> {
    const { version } = await get<{ version: string }>(`api/version?id=${id}`);
    return version;
  }
}

/** Baking options go under their own prefix: none of them can be taken for a parameter of ours. */
function parameters(fixed: Record<string, string>, options: Options): URLSearchParams {
  const all = new URLSearchParams(fixed);
  for (const key of Object.keys(options).sort()) all.set(`option.${key}`, options[key] ?? '');
  return all;
}

async function get<T>(address: string): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address);
  } catch {
    throw new Refused('The server does not answer. Is `bonebox view` still running?');
  }
  const body = await answer.text();
  if (!answer.ok) throw new Refused(body || `${answer.status} ${answer.statusText}`);
  return JSON.parse(body) as T;
}

class Report implements Source {
  readonly live = false;

  constructor(private readonly data: Embedded) {}

  async listing(): Promise<Listing> {
    return this.data.listing;
  }

  async model(id: number): Promise<Model> {
    return this.found(this.data.models[id]);
  }

  async bake(id: number): Promise<Bake> {
    return this.found(this.data.bakes[id]);
  }

  async duel(): Promise<Duel> {
    throw new Refused('A report holds no duel: run `bonebox view`.');
  }

  async version(): Promise<string> {
    return '';
  }

  private found<T>(entry: T | undefined): T {
    if (entry === undefined) throw new Refused('The report holds no such character.');
    return entry;
  }
}

export function source(): Source {
  const embedded = document.getElementById('embedded')?.textContent?.trim();
  return embedded ? new Report(JSON.parse(embedded) as Embedded) : new Server();
}

/** Little-endian numbers from base64. */
export function floats(packed: string): Float32Array {
  return new Float32Array(bytes(packed));
}

export function words(packed: string): Uint16Array {
  return new Uint16Array(bytes(packed));
}

export function integers(packed: string): Uint32Array {
  return new Uint32Array(bytes(packed));
}

function bytes(packed: string): ArrayBuffer {
  const text = atob(packed);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) all[i] = text.charCodeAt(i);
  return all.buffer;
}
