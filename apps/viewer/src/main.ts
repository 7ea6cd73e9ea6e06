// The page: its state, and how it hangs together.

import './style.css';
import * as THREE from 'three';
import { Actor, affine, forget, type BoxStyle, type Display, type Surface } from './actor';
import { columns, isPlainPreset, type Column, type Loaded } from './columns';
import { h, percent } from './dom';
import { DEFAULT_DUEL, Panel, type DuelSettings, type Mode } from './panel';
import { Refused, source, type Options, type Source } from './source';
import { Stage, type Direction, type Label, type View } from './stage';
import type { SortKey } from './table';
import { Timeline } from './timeline';
import type { Bake, Duel, Escape, Listing, Model } from './types';

/** How often the server is asked whether a file has changed, in milliseconds. */
const WATCH_INTERVAL = 700;

/** Radius of the dot at an escape, as a share of the height. */
const DOT = 0.009;

/** What is being baked for less than this is not talked about, in milliseconds. */
const PATIENCE = 250;

export class App {
  listing: Listing = { tool: '', characters: [], options: [] };
  /** Which character is looked at. */
  index = 0;
  mode: Mode = 'boxes';
  /** A clip by number; `null` is the rest pose. */
  clip: number | null = null;
  time = 0;
  playing = false;
  speed = 1;
  display: Display = { surface: 'solid', boxes: 'solid' };
  names = false;
  selected: number | null = null;
  sort: SortKey = 'escape';
  /** The ways to bake that are compared. */
  readonly columns = columns();
  /** Whether the options of one's own are unfolded. */
  ownOptionsOpen = false;
  /** Which of them the table is about. */
  focus = 'recipe';
  duelSettings: DuelSettings = { ...DEFAULT_DUEL };
  duel: Duel | null = null;
  /** The escape that was jumped to. */
  visited: Escape | null = null;

  private readonly stage: Stage;
  private readonly panel: Panel;
  private readonly timeline: Timeline;
  private readonly message = h('div', { class: 'message', role: 'status' });
  /** The character as set, and the other of a duel. */
  private first: Loaded | null = null;
  private second: Loaded | null = null;
  private version = '';
  private generation = 0;
  private lastFrame = 0;
  private asked = 0;

  constructor(
    holder: HTMLElement,
    readonly source: Source,
  ) {
    const overlay = h('div', { class: 'labels', 'aria-hidden': 'true' });
    const canvasHolder = h('div', { class: 'stage' }, overlay, this.message);
    this.panel = new Panel(this);
    this.timeline = new Timeline(this);
    holder.append(this.panel.header, canvasHolder, this.panel.aside, this.timeline.root);
    this.stage = new Stage(canvasHolder, overlay);
    this.followTheme();
    this.followPointer();
    window.addEventListener('keydown', (event) => this.key(event));
  }

  /** Loads the list, then the first character. */
  async start(): Promise<void> {
    this.refresh();
    this.say('loading', 'Loading…');
    requestAnimationFrame((now) => this.frame(now));
    try {
      this.listing = await this.source.listing();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.listing.characters.length === 0) {
      this.say('empty', 'No characters here yet.\nSave a .glb, .gltf or .vrm file into the folder, and it appears.');
      this.refresh();
    } else {
      await this.open(0);
    }
    if (this.source.live) void this.watch();
  }

  /** Whether something is being read from the server. */
  get busy(): boolean {
    return this.asked > 0;
  }

  /** Looks at another character. */
  async open(index: number): Promise<void> {
    this.index = index;
    this.clip = null;
    this.time = 0;
    this.selected = null;
    this.visited = null;
    this.version = '';
    this.stage.setViews([]);
    this.drop(this.first);
    this.first = null;
    this.columns.forEach((column) => this.clear(column));
    document.title = `${this.name} · bonebox`;
    this.refresh();
    await this.reload();
    this.stage.frame(this.mode === 'duel' ? 'side' : 'iso');
  }

  /** Of the character that is looked at. */
  get name(): string {
    return this.listing.characters[this.index]?.name ?? '';
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.mode) return;
    this.mode = mode;
    this.visited = null;
    if (mode === 'duel') {
      this.selected = null;
      this.clip = null;
      this.time = 0;
      if (this.duelSettings.clipA === null) this.setDefaultClips();
    }
    if (mode === 'boxes') this.focus = 'set';
    if (mode === 'compare') this.focus = this.shownColumns[0]?.key ?? 'recipe';
    this.refresh();
    await this.reload();
    this.stage.frame(mode === 'duel' ? 'side' : 'iso');
  }

  /** Reads what is shown from the server again; what is on the screen stays until the new is there. */
  async reload(): Promise<void> {
    const generation = ++this.generation;
    this.say('loading', `Baking ${this.name}…`, PATIENCE);
    await this.ask(async () => {
      try {
        const first = await this.load(this.index, {}, this.first);
        const second = this.mode === 'duel' ? await this.loadOther(first) : null;
        const duel = this.mode === 'duel' ? await this.loadDuel() : null;
        if (generation !== this.generation) return;
        if (this.second?.actor !== second?.actor) this.drop(this.second);
        if (this.first?.actor !== first.actor) this.drop(this.first);
        [this.first, this.second, this.duel] = [first, second, duel];
        this.say('', '');
        void this.learnEscapes(first, {});
      } catch (error) {
        if (generation !== this.generation) return;
        this.fail(error);
      }
      if (this.clip !== null && this.clip >= this.clips.length) this.clip = null;
      this.arrange();
      this.refresh();
    });
    if (generation === this.generation && this.mode === 'compare' && this.first) await this.bakeColumns();
  }

  /** Goes to a moment; joints, boxes and contacts follow. */
  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.seconds);
    this.leaveVisited();
    this.pose();
    this.timeline.update();
    if (this.mode === 'duel') this.panel.updateContacts();
  }

  /** Length of what plays. */
  get seconds(): number {
    if (this.duel) return this.duel.ticks.at(-1)?.time ?? 0;
    return this.clip === null ? 0 : (this.first?.actor.clips[this.clip]?.seconds ?? 0);
  }

  get clips(): string[] {
    return this.first?.actor.clips.map((clip) => clip.name) ?? [];
  }

  /** What the tables are about. */
  get current(): Loaded | null {
    if (this.mode !== 'compare') return this.first;
    return this.column(this.focus)?.loaded ?? null;
  }

  get bake(): Bake | null {
    return this.first?.bake ?? null;
  }

  get otherBake(): Bake | null {
    return this.second?.bake ?? null;
  }

  column(key: string): Column | undefined {
    return this.columns.find((column) => column.key === key);
  }

  /** Those that can be chosen: what is set only where no preset says the same. */
  get choosable(): Column[] {
    return this.columns.filter(({ key }) => {
      if (key === 'set') return this.first !== null && !isPlainPreset(this.first.bake, this.columns);
      return this.source.live || key !== 'yours';
    });
  }

  get shownColumns(): Column[] {
    return this.choosable.filter(({ shown }) => shown);
  }

  get height(): number {
    const bounds = this.first?.bake.bounds;
    return bounds ? bounds.max[1] - bounds.min[1] : 1;
  }

  /** The tick that is shown. */
  get tick(): Duel['ticks'][number] | null {
    if (!this.duel) return null;
    const index = Math.floor(this.time * this.duelSettings.fps + 1e-3);
    return this.duel.ticks[Math.min(index, this.duel.ticks.length - 1)] ?? null;
  }

  play(playing = !this.playing): void {
    this.playing = playing && this.seconds > 0;
    this.timeline.update();
  }

  setClip(clip: number | null): void {
    this.clip = clip;
    this.time = 0;
    this.playing = this.playing && clip !== null;
    this.leaveVisited();
    this.pose();
    this.refresh();
  }

  select(joint: number | null): void {
    this.selected = joint === this.selected ? null : joint;
    this.actors.forEach((actor) => actor.select(this.mode === 'duel' && actor !== this.first?.actor ? null : this.selected));
    this.stage.invalidate();
    this.panel.update();
    this.panel.showSelected();
  }

  /** Jumps to where a joint's surface is farthest outside. */
  visit(escape: Escape): void {
    const clip = escape.clip === null ? null : this.clips.indexOf(escape.clip);
    this.playing = false;
    this.clip = clip;
    const start = clip === null ? 0 : (this.first?.actor.clips[clip]?.start ?? 0);
    this.time = Math.min(Math.max(escape.time - start, 0), this.seconds);
    this.pose();
    const joint = this.first?.model.joints.findIndex(({ name }) => name === escape.joint) ?? -1;
    this.selected = joint < 0 ? null : joint;
    this.visited = escape;
    if (this.display.surface === 'solid') this.display.surface = 'outside';
    for (const actor of this.actors) {
      actor.show(this.display);
      actor.select(this.selected);
      actor.mark(escape.point, DOT * this.height);
    }
    const point = new THREE.Vector3(...escape.point);
    const direction = this.first?.actor.clearDirection(point, this.stage.direction, DOT * this.height);
    this.stage.lookAt(point, direction ?? this.stage.direction, 0.28 * this.height);
    this.refresh();
  }

  setDisplay(change: Partial<Display>): void {
    this.display = { ...this.display, ...change };
    this.actors.forEach((actor) => actor.show(this.display));
    this.stage.invalidate();
    this.panel.update();
  }

  setNames(names: boolean): void {
    this.names = names;
    this.stage.invalidate();
    this.panel.update();
  }

  setSort(sort: SortKey): void {
    this.sort = sort;
    this.panel.update();
  }

  /** Puts a way to bake into the picture, or takes it out; one stays. */
  showColumn(key: string): void {
    const column = this.column(key);
    if (!column || (column.shown && this.shownColumns.length === 1)) return;
    column.shown = !column.shown;
    if (!column.shown && this.focus === key) this.focus = this.shownColumns[0]!.key;
    if (column.shown) this.focusOn(key);
    this.arrange();
    this.refresh();
    if (column.shown) void this.bakeColumn(column);
  }

  /** Makes the tables be about that column. */
  focusOn(key: string): void {
    this.focus = key;
    const column = this.column(key);
    if (column?.loaded) void this.learnEscapes(column.loaded, column.options);
    this.refresh();
  }

  /** An option of the column that is one's own. */
  setOption(key: string, value: string): void {
    const column = this.column('yours')!;
    const options = { ...column.options };
    if (value === '') delete options[key];
    else options[key] = value;
    column.options = options;
    column.title = describe(options);
    if (column.shown) void this.bakeColumn(column);
    else this.showColumn('yours');
    this.refresh();
  }

  setDuel(change: Partial<DuelSettings>): void {
    const others = change.other !== undefined && change.other !== this.duelSettings.other;
    this.duelSettings = { ...this.duelSettings, ...change };
    if (others) this.duelSettings.clipB = null;
    void this.reload();
  }

  look(direction: Direction): void {
    this.stage.frame(direction);
  }

  /** For tests and the console. */
  get canvas(): HTMLCanvasElement {
    return this.stage.canvas;
  }

  /** For tests and the console: where the boxes are, of each actor in the picture. */
  corners(): ReturnType<Actor['corners']>[] {
    return this.actors.map((actor) => actor.corners());
  }

  /** Everyone in the picture, from left to right. */
  private get actors(): Actor[] {
    if (this.mode === 'compare') return this.shownColumns.flatMap(({ loaded }) => (loaded ? [loaded.actor] : []));
    return [this.first, this.second].flatMap((loaded) => (loaded ? [loaded.actor] : []));
  }

  /** Counts what is under way. */
  private async ask(work: () => Promise<void>): Promise<void> {
    this.asked++;
    try {
      await work();
    } finally {
      this.asked--;
    }
  }

  private async load(id: number, options: Options, present: Loaded | null, twin: Loaded | null = null): Promise<Loaded> {
    const bake = await this.source.bake(id, options);
    const hash = bake.bake.source.blake3;
    // The same bytes are the same model: it keeps its place on the graphics card, only the boxes change.
    if (present && present.bake.bake.source.blake3 === hash) {
      const same = JSON.stringify(present.bake) === JSON.stringify(bake);
      if (!same) present.actor.setBake(bake);
      return { ...present, bake, escapes: same ? present.escapes : null };
    }
    const model = twin?.bake.bake.source.blake3 === hash ? twin.model : await this.source.model(id);
    const actor = new Actor(model, bake);
    actor.show(this.display);
    return { model, bake, actor, escapes: null };
  }

  /** Which joints' surface leaves the boxes: asked for when the boxes are on the screen already. */
  private async learnEscapes(loaded: Loaded, options: Options): Promise<void> {
    if (loaded.escapes) return;
    await this.ask(async () => {
      try {
        loaded.escapes = await this.source.escapes(this.index, options);
      } catch (error) {
        // The next question about the file says why.
        if (!(error instanceof Refused)) this.fail(error);
        return;
      }
      if (loaded !== this.current) return;
      const stays = loaded.escapes.some(({ joint, distance }) => joint === this.visited?.joint && distance > 0);
      if (!stays) this.leaveVisited();
      this.refresh();
    });
  }

  private async bakeColumns(): Promise<void> {
    this.arrange();
    await Promise.all(this.choosable.filter(({ key, shown }) => shown || key !== 'yours').map((column) => this.bakeColumn(column)));
  }

  private async bakeColumn(column: Column): Promise<void> {
    const asked = ++column.asked;
    column.since = performance.now();
    this.refresh();
    await this.ask(async () => {
      try {
        const loaded = await this.load(this.index, column.options, column.loaded, this.first);
        if (asked !== column.asked) return;
        if (column.loaded && column.loaded.actor !== loaded.actor) this.drop(column.loaded);
        column.loaded = loaded;
        column.error = null;
      } catch (error) {
        if (asked !== column.asked) return;
        if (!(error instanceof Refused)) console.error(error);
        column.error = error instanceof Error ? error.message : String(error);
      }
      column.since = null;
      if (this.mode !== 'compare') return;
      this.arrange();
      this.refresh();
    });
    if (column.key === this.focus && column.loaded) await this.learnEscapes(column.loaded, column.options);
  }

  private clear(column: Column): void {
    column.asked++;
    this.drop(column.loaded);
    Object.assign(column, { loaded: null, since: null, error: null });
  }

  /** Takes an actor off, and its model where nobody else shows it. */
  private drop(loaded: Loaded | null): void {
    if (!loaded) return;
    loaded.actor.dispose();
    const others = [this.first, this.second, ...this.columns.map((column) => column.loaded)];
    if (!others.some((other) => other && other !== loaded && other.model === loaded.model)) forget(loaded.model);
  }

  private async loadOther(first: Loaded): Promise<Loaded> {
    const { other } = this.duelSettings;
    const second = await this.load(other, {}, null, other === this.index ? first : null);
    if (this.duelSettings.clipA === null) this.duelSettings.clipA = first.actor.clips[0]?.name ?? '';
    if (this.duelSettings.clipB === null) this.duelSettings.clipB = second.actor.clips[0]?.name ?? '';
    return second;
  }

  private loadDuel(): Promise<Duel> {
    const { other, clipA, clipB, distance, turn, fps } = this.duelSettings;
    const query = { a: this.index, b: other, clipA: clipA ?? '', clipB: clipB ?? '', distance, turn, fps };
    return this.source.duel(query, {});
  }

  /** Two that stand apart by half their height. */
  private setDefaultClips(): void {
    const many = this.listing.characters.length;
    this.duelSettings.other = many > 1 ? (this.index + 1) % many : this.index;
    this.duelSettings.distance = Number((0.5 * this.height).toPrecision(2));
  }

  /** Who is seen where. */
  private arrange(): void {
    const { first, second } = this;
    let views: View[] = first ? [{ title: '', actors: [first.actor] }] : [];
    first?.actor.light(null);
    if (this.mode === 'compare') {
      views = this.shownColumns.map(viewOf);
    } else if (first && second && this.duel) {
      second.actor.root.matrixAutoUpdate = false;
      second.actor.root.matrix.copy(affine(this.duel.place));
      views = [{ title: '', actors: [first.actor, second.actor] }];
    }
    this.stage.setViews(views);
    for (const actor of this.actors) {
      actor.show(this.display);
      actor.select(this.mode === 'duel' && actor !== first?.actor ? null : this.selected);
      actor.mark(this.visited?.point ?? null, DOT * this.height);
    }
    this.time = Math.min(this.time, this.seconds);
    this.pose();
  }

  private leaveVisited(): void {
    if (!this.visited) return;
    this.visited = null;
    this.actors.forEach((actor) => actor.mark(null));
    this.stage.invalidate();
    this.panel.update();
  }

  private pose(): void {
    const { first, second } = this;
    if (this.mode === 'duel' && first && second && this.duel) {
      const tick = this.tick;
      // At the tick itself, so that what is seen is what was tested.
      const time = tick?.time ?? 0;
      first.actor.pose(clipNumber(first.actor, this.duelSettings.clipA), time);
      second.actor.pose(clipNumber(second.actor, this.duelSettings.clipB), time);
      first.actor.light(jointsNamed(first.model, tick?.pairs.map(({ a }) => a) ?? []));
      second.actor.light(jointsNamed(second.model, tick?.pairs.map(({ b }) => b) ?? []));
    } else {
      this.actors.forEach((actor) => actor.pose(this.clip, this.time));
    }
    this.stage.invalidate();
  }

  private halfSeconds = 0;

  private frame(now: number): void {
    const elapsed = Math.min((now - this.lastFrame) / 1000, 0.1);
    this.lastFrame = now;
    if (this.playing && this.seconds > 0) {
      const next = this.time + elapsed * this.speed;
      this.seek(next > this.seconds ? next % this.seconds : next);
    }
    // The seconds beside what is being baked go on.
    const waiting = this.mode === 'compare' && this.shownColumns.some(({ since }) => since !== null);
    if (waiting && Math.floor(now / 500) !== this.halfSeconds) {
      this.halfSeconds = Math.floor(now / 500);
      this.stage.setViews(this.shownColumns.map(viewOf));
    }
    if (this.stage.draw()) this.stage.label(this.labels());
    requestAnimationFrame((later) => this.frame(later));
  }

  /** Of the joints with boxes, those with the largest first. */
  private labels(): Label[] {
    const shown =
      this.mode === 'compare' ? this.shownColumns.map(({ loaded }) => loaded) : [this.first, this.second];
    return shown.flatMap((loaded) => {
      if (!loaded) return [];
      const { joints, boxes } = loaded.bake.bake;
      const largest = [...boxes].sort((a, b) => b.volume - a.volume).map((box) => box.joint_index);
      const all = this.names ? largest : [];
      const mine = this.selected !== null && !(this.mode === 'duel' && loaded === this.second) ? [this.selected] : [];
      return [...new Set([...mine, ...all])].map((joint) => {
        const text = joints[joint]?.name ?? '';
        const at = this.visited?.joint === text ? { at: this.visited.point } : {};
        return { actor: loaded.actor, joint, text, ...at };
      });
    });
  }

  private refresh(): void {
    this.panel.update();
    this.timeline.update();
    this.stage.invalidate();
  }

  /** Asks for ever whether anything changed: the file, what bears on it, the folder. */
  private async watch(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL));
      const empty = this.listing.characters.length === 0;
      const asked = this.index;
      try {
        const { version, characters } = await this.source.version(empty ? null : asked);
        if (this.message.dataset.kind === 'lost') await this.reload();
        if (characters !== this.listing.characters.length) {
          this.listing = await this.source.listing();
          if (empty) await this.open(0);
          this.refresh();
        }
        // Another character may have been chosen meanwhile.
        if (empty || asked !== this.index) continue;
        const changed = this.version !== '' && version !== this.version;
        this.version = version;
        if (changed) await this.reload();
      } catch (error) {
        this.say('lost', error instanceof Error ? error.message : String(error));
      }
    }
  }

  private fail(error: unknown): void {
    const known = error instanceof Refused;
    if (!known) console.error(error);
    if (!known) return this.say('error', `Something is wrong in the page: ${String(error)}`);
    const stays = this.first ? '\n\nThe boxes shown are the last good ones. Saved again, the file is baked again.' : '';
    this.say('error', `${this.name ? `${this.name} cannot be shown` : 'Nothing can be shown'}\n${error.message}${stays}`);
  }

  /** Words over the picture; after a while only, where the wait is short mostly. */
  private say(kind: string, text: string, delay = 0): void {
    clearTimeout(this.saying);
    this.saying = setTimeout(
      () => {
        this.message.dataset.kind = kind;
        this.message.dataset.over = String(this.first !== null);
        const [first, ...rest] = text.split('\n');
        this.message.replaceChildren(...(text === '' ? [] : [h('strong', {}, first ?? ''), rest.length > 0 ? `\n${rest.join('\n')}` : '']));
      },
      delay,
    );
  }
  private saying: ReturnType<typeof setTimeout> | undefined;

  private followTheme(): void {
    const preferred = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const chosen = document.documentElement.dataset.theme;
      this.stage.setDark(chosen ? chosen === 'dark' : preferred.matches);
    };
    preferred.addEventListener('change', apply);
    new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] });
    apply();
  }

  /** A click that is not a drag selects the box under it. */
  private followPointer(): void {
    let down: [number, number] = [0, 0];
    this.stage.canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
    });
    this.stage.canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const hit = this.stage.pick(event);
      const joint = hit && (this.mode === 'compare' || hit.actor === this.first?.actor) ? hit.joint : null;
      if (joint !== null || this.selected !== null) this.select(joint);
    });
  }

  /** The bookmark after the one that was jumped to. */
  private nextEscape(step: number): void {
    const escapes = this.mode === 'duel' ? [] : (this.current?.escapes ?? []);
    if (escapes.length === 0) return;
    const now = this.visited ? escapes.indexOf(this.visited) : -1;
    this.visit(escapes[now < 0 ? 0 : (now + step + escapes.length) % escapes.length]!);
  }

  private key(event: KeyboardEvent): void {
    if (this.panel.helpIsOpen) {
      if (event.key === '?') this.panel.toggleHelp();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target as HTMLElement, event.key)) return;
    const styles: BoxStyle[] = ['solid', 'wire', 'x-ray', 'off'];
    const surfaces: Surface[] = ['solid', 'outside', 'ghost', 'off'];
    const after = <T>(all: T[], now: T) => all[(all.indexOf(now) + 1) % all.length]!;
    const step = this.duel ? 1 / this.duelSettings.fps : 1 / 30;
    const actions: Record<string, () => void> = {
      ' ': () => this.play(),
      ArrowLeft: () => this.seek(this.time - step),
      ArrowRight: () => this.seek(this.time + step),
      Home: () => this.seek(0),
      End: () => this.seek(this.seconds),
      b: () => this.setDisplay({ boxes: after(styles, this.display.boxes) }),
      m: () => this.setDisplay({ surface: after(surfaces, this.display.surface) }),
      n: () => this.setNames(!this.names),
      '1': () => this.look('front'),
      '2': () => this.look('side'),
      '3': () => this.look('top'),
      '4': () => this.look('iso'),
      t: () => this.panel.switchTheme(),
      c: () => void this.setMode('compare'),
      d: () => this.source.live && void this.setMode('duel'),
      e: () => this.nextEscape(1),
      E: () => this.nextEscape(-1),
      x: () => void this.setMode('boxes'),
      Escape: () => this.select(null),
      '?': () => this.panel.toggleHelp(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

/** Whether what has the focus wants that key itself: text, choices, and buttons for the space bar. */
function takesKey(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type === 'checkbox' ? key === ' ' : target.type !== 'range';
  }
  return target.tagName === 'SELECT' || (target.tagName === 'BUTTON' && key === ' ');
}

function clipNumber(actor: Actor, name: string | null): number | null {
  const index = actor.clips.findIndex((clip) => clip.name === name);
  return index < 0 ? null : index;
}

function jointsNamed(model: Model, names: string[]): Set<number> {
  const wanted = new Set(names);
  return new Set(model.joints.flatMap((joint, index) => (wanted.has(joint.name) ? [index] : [])));
}

function describe(options: Options): string {
  const words = Object.entries(options).map(([key, value]) => `${key} = ${value}`);
  return words.join(', ') || 'yours';
}

/** A column's part of the picture. */
function viewOf({ title, loaded, since, error }: Column): View {
  const actors = loaded ? [loaded.actor] : [];
  if (error !== null) return { title, note: error, actors };
  const seconds = since === null ? 0 : (performance.now() - since) / 1000;
  if (since !== null && (!loaded || seconds > PATIENCE / 1000)) {
    return { title, note: `baking… ${seconds.toFixed(0)} s`, waiting: true, actors };
  }
  const coverage = loaded?.bake.bake.coverage;
  const boxes = `${loaded?.bake.bake.boxes.length ?? 0} boxes`;
  const note = coverage ? `${boxes} · ${percent(coverage.surface_clips)} inside` : boxes;
  return { title, note, actors };
}

declare global {
  interface Window {
    bonebox: App;
  }
}

const holder = document.getElementById('app')!;
try {
  window.bonebox = new App(holder, await source());
  void window.bonebox.start();
} catch (error) {
  holder.textContent = `This page needs WebGL, which the browser does not give: ${String(error)}`;
}
