// The source of the page's data: the server, or the report that contains the page.

import { Baker } from './baker';
import type { HeldFile } from './bakerMessages';
import { bytes } from './packed';
import type { TimeWindow, Vec3 } from './baked';
import type { Embedded, ListedShots, LiveMoment, LiveStart, Restore, ShownShot, Version, Written } from './serverTypes';
import type { Bake, Duel, EditedText, Escape, JointEdits, Kept, Listing, Measured, MeasureQuery, Model, RayAnswer } from './types';

/** Options by key. A missing key has its default. */
export type Options = Record<string, string>;

export interface DuelQuery {
  a: number;
  b: number;
  clipA: string;
  clipB: string;
  distance: number;
  turn: number;
  fps: number;
  /** True for a duel of skins too. */
  exact: boolean;
}

/** A ray at a character in a pose. */
export interface RayQuery {
  id: number;
  /** The clip by name; an empty name is the rest pose. */
  clip: string;
  /** The time after the clip's start, in seconds; the clip plays in a loop. */
  time: number;
  /** The place of the second character of a duel; `null` for a character at the origin. */
  opposite: { distance: number; turn: number } | null;
  /** The start and the unit direction of the ray, in world space. */
  origin: Vec3;
  direction: Vec3;
}

/** The character that the tracker moves, and its opponent. */
export interface LiveQuery {
  player: number;
  opponent: number;
  /** The opponent's clip by name; an empty name is the rest pose. */
  clip: string;
  distance: number;
  turn: number;
}

/** The file of a character. */
export interface AssetFile {
  bytes: ArrayBuffer;
  /** Returns the address of a file beside the character's file, by the URI in that file. */
  addressOf(uri: string): string;
}

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

/** The text of a settings file, and the path of that file from the folder of the asset; `null` if there is none yet. */
export interface TextForFile extends EditedText {
  path: string | null;
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
  /** True if hitboxes can be baked with any options, duels and rays are answered, and the characters' own files are there. */
  readonly canBake: boolean;
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
  /** Adds a file to the characters, and returns its number. Not every source can. */
  add?(name: string, file: ArrayBuffer): Promise<number>;
  /** Reads the character's own file, for its materials. */
  file(id: number): Promise<AssetFile>;
  /** Reads the physics engine: a JavaScript module, compressed (RFC 1952). */
  physics(): Promise<ArrayBuffer>;
  /** Measures edited hitboxes. */
  measure(query: MeasureQuery, options: Options): Promise<Measured>;
  /** Writes an option into bonebox.toml. */
  apply(change: Change): Promise<Written>;
  /** Returns the text of the character's bonebox.toml with edited hitboxes, for a page that cannot write it. */
  editedText(change: HitboxChange): Promise<TextForFile>;
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

/** The questions that the server and the baker answer alike. */
abstract class Answers {
  protected abstract ask<T>(question: string, query: URLSearchParams): Promise<T>;

  model(id: number): Promise<Model> {
    return this.ask('model', parameters({ id }));
  }

  bake(id: number, options: Options): Promise<Bake> {
    return this.ask('bake', parameters({ id }, options));
  }

  escapes(id: number, options: Options): Promise<Escape[]> {
    return this.ask('escapes', parameters({ id }, options));
  }

  duel({ clipA, clipB, exact, ...rest }: DuelQuery): Promise<Duel> {
    return this.ask('duel', parameters({ ...rest, clip_a: clipA, clip_b: clipB, exact: Number(exact) }));
  }

  ray({ opposite, origin, direction, ...rest }: RayQuery, options: Options): Promise<RayAnswer | null> {
    return this.ask('ray', parameters({ ...rest, ...opposite, origin: origin.join(), direction: direction.join() }, options));
  }
}

class Server extends Answers implements Source {
  readonly hasServer = true;
  readonly canBake = true;

  protected ask<T>(question: string, query: URLSearchParams): Promise<T> {
    return get(`api/${question}?${query}`);
  }

  listing(): Promise<Listing> {
    return get('api/listing');
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

  readonly editedText = refusal('A page with a server writes the file itself.');

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

/** What a report without the baker says to a question. */
export const NO_BAKER = 'This report was written without the baker, so it shows only the hitboxes that it contains. Run `bonebox view`.';

class Report extends Answers implements Source {
  readonly hasServer = false;
  readonly canBake: boolean;
  readonly follow = refusal('A report cannot follow a body tracker. Run `bonebox view --live`.');
  readonly apply = refusal('A report cannot edit the settings. Run `bonebox view`.');
  readonly saveWindows = this.apply;
  readonly saveHitboxes = this.apply;
  readonly restore = this.apply;
  readonly shots = refusal('A report contains no shots. Run `bonebox view --shots`.');
  readonly shot = this.shots;
  private readonly files: HeldFile[];
  private baker: Promise<Baker> | null = null;
  /** The data of the companions by their keys. */
  private readonly companions = new Map<string, Promise<Embedded>>();

  constructor(private readonly data: Embedded) {
    super();
    this.canBake = embedded('baker') !== undefined;
    this.files = data.sources.map(({ name, content, settings, buffers }) => {
      const unpacked = Object.entries(buffers).map(([uri, buffer]) => [uri, bytes(buffer)]);
      return { name, bytes: bytes(content), settings, buffers: Object.fromEntries(unpacked) as HeldFile['buffers'] };
    });
  }

  async listing(): Promise<Listing> {
    return this.data.listing;
  }

  override async model(id: number): Promise<Model> {
    const { models, number } = await this.holding(id);
    return models[number] ?? super.model(id);
  }

  override async bake(id: number, options: Options): Promise<Bake> {
    return (await this.kept(id, options))?.bake ?? super.bake(id, options);
  }

  override async escapes(id: number, options: Options): Promise<Escape[]> {
    return (await this.kept(id, options))?.escapes ?? super.escapes(id, options);
  }

  measure(query: MeasureQuery, options: Options): Promise<Measured> {
    return this.ask('measure', new URLSearchParams({ body: JSON.stringify({ ...query, options }) }));
  }

  async editedText({ id, edits }: HitboxChange): Promise<TextForFile> {
    const { settings } = this.files[id] ?? { settings: '' };
    const edited = await this.ask<EditedText>('edited_text', new URLSearchParams({ body: JSON.stringify({ id, edits, text: settings }) }));
    return { ...edited, path: this.data.sources[id]?.settings_path ?? null };
  }

  async physics(): Promise<ArrayBuffer> {
    const physics = embedded('physics') ?? (this.data.companions && (await fromScript('physics.js', 'physics')));
    if (physics === undefined) throw new Refused('The report does not contain the physics engine. Write it again.');
    return bytes(physics);
  }

  async file(id: number): Promise<AssetFile> {
    const file = this.files[id];
    if (!file) throw new Refused(NO_BAKER);
    return { bytes: file.bytes, addressOf: (uri) => URL.createObjectURL(new Blob([file.buffers[uri] ?? new ArrayBuffer(0)])) };
  }

  async add(name: string, file: ArrayBuffer): Promise<number> {
    const held = { name, bytes: file, settings: '', buffers: {} };
    const id = await (await this.started()).add(held);
    this.files[id] = held;
    this.data.listing.characters[id] = { file: name, name: name.replace(/\.[^.]*$/, '') };
    return id;
  }

  async version(): Promise<Version> {
    return { version: '', characters: this.data.listing.characters.length };
  }

  protected async ask<T>(question: string, query: URLSearchParams): Promise<T> {
    return (await this.started()).ask(question, query);
  }

  /** Starts the baker when the first question needs it. */
  private started(): Promise<Baker> {
    const wasm = embedded('baker');
    if (wasm === undefined) return Promise.reject(new Refused(NO_BAKER));
    this.baker ??= this.start(wasm);
    return this.baker;
  }

  private async start(wasm: string): Promise<Baker> {
    const baker = new Baker(await unpacked(wasm).arrayBuffer(), this.data.options, (problem) => new Refused(problem));
    // The numbers of the characters are those of the report.
    for (const file of this.files) await baker.add(file);
    return baker;
  }

  /** A bake that the report contains; `undefined` if it contains none with these options. */
  private async kept(id: number, options: Options): Promise<Kept | undefined> {
    const { preset = null, ...others } = options;
    if (Object.keys(others).length > 0) return undefined;
    const { bakes, number } = await this.holding(id);
    return bakes.find((kept) => kept.id === number && kept.preset === preset);
  }

  /** Returns the data with a character, and its number in them. */
  private async holding(id: number): Promise<Embedded & { number: number }> {
    const key = this.data.companions?.[id - 1];
    if (key === undefined) return { ...this.data, number: id };
    const loading = this.companions.get(key) ?? this.loadCompanion(key);
    this.companions.set(key, loading);
    return { ...(await loading), number: 0 };
  }

  private async loadCompanion(key: string): Promise<Embedded> {
    const data = (await unpacked(await fromScript(`characters/${key}.js`, 'embedded')).json()) as Embedded;
    // In these data, the characters of the set have other numbers.
    const own = this.data.bakes[0]?.bake.shared;
    for (const { bake } of data.bakes) if (bake.shared && own) Object.assign(bake.shared, { members: own.members, absent: own.absent });
    return data;
  }
}

/** Runs a script beside the page of a library, and returns what the script puts into an element of the page. */
function fromScript(file: string, id: 'embedded' | 'physics'): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const finish = (text: string | undefined) => {
      script.remove();
      if (text !== undefined) return resolve(text);
      reject(new Refused(`The library has no file ${file}. Write it again with \`bonebox report --index\`.`));
    };
    script.onload = () => finish(embedded(id));
    script.onerror = () => finish(undefined);
    script.src = file;
    document.head.append(script);
  });
}

/** Unpacks what is compressed (RFC 1952) and in base64. */
function unpacked(packed: string): Response {
  return new Response(new Blob([bytes(packed)]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** Returns what `bonebox report` has put into an element of the page, in base64; `undefined` if it has put nothing there. */
function embedded(id: 'embedded' | 'physics' | 'baker'): string | undefined {
  return document.getElementById(id)?.textContent?.trim() || undefined;
}

/** Returns the report that contains this page, or the server that sent the page. */
export async function source(): Promise<Source> {
  const data = embedded('embedded');
  if (data === undefined) return new Server();
  return new Report((await unpacked(data).json()) as Embedded);
}
