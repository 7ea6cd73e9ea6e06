// The source of the page's data: the server, or the report that contains the page.

import { bytes } from './packed';
import type { JointEdits, Measured, MeasureQuery, Restore, Written } from './edits';
import type { AssetFile, Bake, Duel, DuelQuery, Embedded, Escape, Kept, Listing, ListedShots, LiveMoment, LiveQuery, LiveStart, Model, RayAnswer, RayQuery, ShownShot, TimeWindow, Version } from './types';

/** Options by key. A missing key has its default. */
export type Options = Record<string, string>;

/** A change of an option in the settings of a character or of one of its joints. */
export interface Change {
  id: number;
  joint: string | null;
  key: string;
  value: string;
}

/** New windows of an attack or a state. */
export interface WindowChange {
  id: number;
  clip: string;
  entry: { attack: string } | { state: number };
  /** The windows that the edit began with. */
  before: TimeWindow[];
  after: TimeWindow[];
}

/** The file that was written, and the pattern of the section's characters; `null` for the section of all characters. */
export interface SavedWindows extends Written {
  section: string | null;
}

/** Edited hitboxes of a character. */
export interface HitboxChange {
  id: number;
  edits: JointEdits;
}

/** The file that was written, and what a person should know about it. */
export interface SavedHitboxes extends Written {
  notes: string[];
}

export interface Source {
  /** True if there is a server, which bakes, runs duels, watches files and edits the settings. */
  readonly hasServer: boolean;
  listing(): Promise<Listing>;
  model(id: number): Promise<Model>;
  bake(id: number, options: Options): Promise<Bake>;
  /** Returns the joints whose surface leaves the boxes, the farthest first. */
  escapes(id: number, options: Options): Promise<Escape[]>;
  duel(query: DuelQuery): Promise<Duel>;
  /** Returns the point of a character that a ray hits first; `null` if the ray misses the character. */
  ray(query: RayQuery, options: Options): Promise<RayAnswer | null>;
  /** Calls `each` with every line of a live stream, until `signal` or the server ends the stream. */
  follow(query: LiveQuery, signal: AbortSignal, each: (line: LiveStart | LiveMoment) => void): Promise<void>;
  /** Reads the character's own file, for its materials. */
  file(id: number): Promise<AssetFile>;
  /** Reads the physics engine: a JavaScript module, compressed (RFC 1952). */
  physics(): Promise<ArrayBuffer>;
  /** Measures edited hitboxes. */
  measure(query: MeasureQuery, options: Options): Promise<Measured>;
  /** Writes an option into bonebox.toml. */
  apply(change: Change): Promise<Written>;
  /** Writes edited hitboxes into bonebox.toml. */
  saveHitboxes(change: HitboxChange): Promise<SavedHitboxes>;
  /** Puts an earlier text of bonebox.toml back, unless the file has been changed since. */
  restore(change: Restore): Promise<Written>;
  /** Writes windows into bonebox.toml, unless they do not fit the clip. */
  saveWindows(change: WindowChange): Promise<SavedWindows>;
  /** Returns the explained shots of a server. */
  shots(): Promise<ListedShots>;
  /** Returns what to draw of the shot in a line of the file. */
  shot(line: number): Promise<ShownShot>;
  /** Returns a version that changes when a file of the character or its bonebox.toml changes. */
  version(id: number | null): Promise<Version>;
}

/** The server refused a request; the message is for people. */
export class Refused extends Error {}

class Server implements Source {
  readonly hasServer = true;

  listing(): Promise<Listing> {
    return get('api/listing');
  }

  model(id: number): Promise<Model> {
    return get(`api/model?id=${id}`);
  }

  bake(id: number, options: Options): Promise<Bake> {
    return get(`api/bake?${parameters({ id }, options)}`);
  }

  escapes(id: number, options: Options): Promise<Escape[]> {
    return get(`api/escapes?${parameters({ id }, options)}`);
  }

  duel({ clipA, clipB, exact, ...rest }: DuelQuery): Promise<Duel> {
    return get(`api/duel?${parameters({ ...rest, clip_a: clipA, clip_b: clipB, exact: Number(exact) })}`);
  }

  ray({ opposite, origin, direction, ...rest }: RayQuery, options: Options): Promise<RayAnswer | null> {
    return get(`api/ray?${parameters({ ...rest, ...opposite, origin: origin.join(), direction: direction.join() }, options)}`);
  }

  async follow(query: LiveQuery, signal: AbortSignal, each: (line: LiveStart | LiveMoment) => void): Promise<void> {
    try {
      const answer = await fetch(`api/live?${parameters({ ...query })}`, { signal });
      if (!answer.ok) throw new Refused(await answer.text());
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ; ) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + value).split('\n');
        rest = lines.pop()!;
        for (const line of lines) each(JSON.parse(line) as LiveStart | LiveMoment);
      }
    } catch (error) {
      // The code that asks the server for changes reports a server that has stopped.
      if (error instanceof Refused) throw error;
    }
  }

  async file(id: number): Promise<AssetFile> {
    const address = `api/file?id=${id}`;
    return { bytes: await binary(address), addressOf: (uri) => `${address}&uri=${encodeURIComponent(uri)}` };
  }

  physics(): Promise<ArrayBuffer> {
    return binary('api/physics');
  }

  measure(query: MeasureQuery, options: Options): Promise<Measured> {
    return post('api/measure', { ...query, options });
  }

  apply(change: Change): Promise<Written> {
    return post('api/apply', change);
  }

  saveHitboxes(change: HitboxChange): Promise<SavedHitboxes> {
    return post('api/hitboxes', change);
  }

  restore(change: Restore): Promise<Written> {
    return post('api/restore', change);
  }

  saveWindows(change: WindowChange): Promise<SavedWindows> {
    return post('api/windows', change);
  }

  shots(): Promise<ListedShots> {
    return get('api/shots');
  }

  shot(line: number): Promise<ShownShot> {
    return get(`api/shot?line=${line}`);
  }

  version(id: number | null): Promise<Version> {
    return get(id === null ? 'api/version' : `api/version?id=${id}`);
  }
}

/** Options of a bake have a prefix of their own, so that no option has the name of another parameter. */
function parameters(fixed: Record<string, string | number>, options: Options = {}): URLSearchParams {
  const all = new URLSearchParams(Object.entries(fixed).map(([key, value]) => [key, String(value)]));
  for (const key of Object.keys(options).sort()) all.set(`option.${key}`, options[key] ?? '');
  return all;
}

async function get<T>(address: string, request: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, request);
  } catch {
    throw new Refused('The server does not answer. Check that `bonebox view` is still running, then reload the page.');
  }
  const body = await answer.text();
  if (!answer.ok) throw new Refused(body || `${answer.status} ${answer.statusText}`);
  return JSON.parse(body) as T;
}

async function binary(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Refused(await answer.text());
  return answer.arrayBuffer();
}

function post<T>(address: string, body: object): Promise<T> {
  return get(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

/** Returns a method that refuses each request. */
function refusal(reason: string): () => Promise<never> {
  return () => Promise.reject(new Refused(reason));
}

class Report implements Source {
  readonly hasServer = false;
  readonly duel = refusal('A report contains no duels. Run `bonebox view`.');
  readonly ray = refusal('A report cannot cast rays. Run `bonebox view`.');
  readonly follow = refusal('A report cannot follow a body tracker. Run `bonebox view --live`.');
  readonly file = refusal('A report contains no materials. Run `bonebox view`.');
  readonly apply = refusal('A report cannot edit the settings. Run `bonebox view`.');
  readonly saveWindows = this.apply;
  readonly saveHitboxes = this.apply;
  readonly restore = this.apply;
  readonly measure = refusal('A report cannot measure edited hitboxes. Run `bonebox view`.');
  readonly shots = refusal('A report contains no shots. Run `bonebox view --shots`.');
  readonly shot = this.shots;

  constructor(private readonly data: Embedded) {}

  async listing(): Promise<Listing> {
    return this.data.listing;
  }

  async model(id: number): Promise<Model> {
    return this.found(this.data.models[id]);
  }

  async bake(id: number, options: Options): Promise<Bake> {
    return this.kept(id, options).bake;
  }

  async physics(): Promise<ArrayBuffer> {
    return bytes(this.found(embedded('physics'), 'The report does not contain the physics engine. Write it again.'));
  }

  async escapes(id: number, options: Options): Promise<Escape[]> {
    return this.kept(id, options).escapes;
  }

  async version(): Promise<Version> {
    return { version: '', characters: this.data.models.length };
  }

  private kept(id: number, options: Options): Kept {
    const wanted = options['preset'] ?? null;
    return this.found(this.data.bakes.find((kept) => kept.id === id && kept.preset === wanted));
  }

  private found<T>(entry: T | undefined, problem = 'The report does not contain this character. Choose a character from the list.'): T {
    if (entry === undefined) throw new Refused(problem);
    return entry;
  }
}

/** Returns what `bonebox report` has put into an element of the page, in base64; `undefined` if it has put nothing there. */
function embedded(id: 'embedded' | 'physics'): string | undefined {
  return document.getElementById(id)?.textContent?.trim() || undefined;
}

/** Returns the report that contains this page, or the server that sent the page. */
export async function source(): Promise<Source> {
  const data = embedded('embedded');
  if (data === undefined) return new Server();
  const json = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Report((await new Response(json).json()) as Embedded);
}
