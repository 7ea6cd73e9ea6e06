// What is looked at: the state of the page, and the commands that change it.

import * as THREE from 'three';
import { Refused, type Change, type Options, type Source } from '../data/source';
import type { Bake, Duel, Escape, Listing, Tick } from '../data/types';
import type { Actor, Display } from '../scene/actor';
import type { Direction } from '../scene/camera';
import type { Label, View } from '../scene/labels';
import { Stage } from '../scene/stage';
import { AddressWriter, readAddress, type Address } from './address';
import { columns, describe, isPlainPreset, viewOf, type Column } from './columns';
import { DEFAULT_DUEL, place, poseBoth, tickAt, type DuelSettings } from './duel';
import { Library, type Loaded } from './library';
import { Playback } from './playback';
import { readState, writeState } from './state';
import { watch } from './watch';

export type Mode = 'boxes' | 'compare' | 'duel';
export type SortKey = 'joint' | 'escape' | 'outside' | 'fill' | 'ratio';

/** What shows the state. */
export interface Screen {
  /** Something changed. */
  update(): void;
  /** The time changed, and nothing else. */
  updateTime(): void;
  /** Brings the selected row into sight. */
  reveal(): void;
  /** Words over the picture; none where `text` is empty. Those of a progress are followed by the seconds that pass. */
  say(kind: Notice, text: string): void;
}

export type Notice = '' | 'progress' | 'empty' | 'error' | 'lost';

/** Radius of the dot at an escape, as a share of the height. */
const DOT = 0.009;

const NOTHING: Screen = { update: () => {}, updateTime: () => {}, reveal: () => {}, say: () => {} };

export class App {
  screen: Screen = NOTHING;
  listing: Listing = { tool: '', characters: [], options: [] };
  /** The number of the character that is looked at. */
  index = 0;
  mode: Mode = 'boxes';
  display: Display;
  names = false;
  /** A joint by number. */
  selected: number | null = null;
  /** Joints whose hitboxes are not drawn, by number. */
  hidden: ReadonlySet<number> = new Set();
  sort: SortKey = 'escape';
  /** The ways to bake that are compared. */
  readonly columns = columns();
  /** Whether the options of one's own are unfolded. */
  ownOptionsOpen = false;
  /** The column that the tables are about. */
  focus = 'recipe';
  duelSettings: DuelSettings = { ...DEFAULT_DUEL };
  duel: Duel | null = null;
  /** The escape that was jumped to. */
  visited: Escape | null = null;
  readonly playback = new Playback();
  readonly stage: Stage;
  readonly library: Library;

  /** The character as set, and the other of a duel. */
  private first: Loaded | null = null;
  private second: Loaded | null = null;
  /** The character without hitboxes, until its first bake is there. */
  private early: Actor | null = null;
  private generation = 0;
  private asked = 0;
  private halfSeconds = 0;
  private readonly address = new AddressWriter(() => writeState(this));

  constructor(
    holder: HTMLElement,
    readonly source: Source,
  ) {
    this.display = { surface: source.live ? 'textured' : 'clay', boxes: 'solid', skeleton: false };
    this.library = new Library(source);
    this.stage = new Stage(holder);
    this.stage.camera.onMoved = () => this.address.changed();
  }

  /** Loads the list, then the character that the page's address names, else the first. */
  async start(): Promise<void> {
    this.refresh();
    this.screen.say('progress', 'Loading…');
    requestAnimationFrame((now) => this.frame(now));
    window.addEventListener('hashchange', () => void this.restore(readAddress()));
    try {
      this.listing = await this.source.listing();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.listing.characters.length === 0) {
      this.screen.say('empty', 'No characters here yet.\nSave a .glb, .gltf or .vrm file into the folder, and it appears.');
      this.refresh();
    } else {
      await this.restore(readAddress());
    }
    if (this.source.live) void watch(this);
  }

  /** Shows what an address says. */
  private async restore(address: Address): Promise<void> {
    const state = readState(this, address);
    await this.open(state.index, async () => {
      const { clips } = this;
      this.mode = state.mode;
      this.display = { ...this.display, ...state.display };
      this.names = state.names;
      if (state.shown) for (const column of this.columns) column.shown = state.shown.includes(column.key);
      if (state.focus) this.focus = state.focus;
      else if (this.mode === 'boxes') this.focus = 'set';
      this.duelSettings = { ...this.duelSettings, ...state.duel };
      if (state.clip !== null) this.playback.clip = clips.indexOf(state.clip) < 0 ? null : clips.indexOf(state.clip);
      this.selected = this.jointNamed(state.joint);
      this.hidden = new Set(state.hidden.flatMap((name) => this.jointNamed(name) ?? []));
    });
    if (this.mode !== 'boxes') await this.enter();
    this.seek(state.time);
    if (state.camera) this.stage.camera.pose = state.camera;
    this.refresh();
  }

  /** Whether an answer of the server is awaited. */
  get busy(): boolean {
    return this.asked > 0;
  }

  /** Looks at another character, at its first clip. `prepare` is called when it is loaded, before it is shown. */
  async open(index: number, prepare: () => void = () => {}): Promise<void> {
    this.index = index;
    this.selected = null;
    this.hidden = new Set();
    this.visited = null;
    this.duel = null;
    Object.assign(this.playback, { clip: null, time: 0, playing: false });
    this.stage.setViews([]);
    [this.first, this.second].forEach((loaded) => this.library.drop(loaded?.actor));
    this.first = this.second = null;
    this.columns.forEach((column) => this.clear(column));
    document.title = `${this.name} · bonebox`;
    this.refresh();
    const generation = this.generation + 1;
    await this.reload(() => {
      this.playback.clip = this.clips.length > 0 ? 0 : null;
      prepare();
    });
    if (generation === this.generation && this.mode !== 'duel') this.stage.frame('iso');
  }

  /** The name of the character that is looked at. */
  get name(): string {
    return this.listing.characters[this.index]?.name ?? '';
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.mode) return;
    this.mode = mode;
    this.leaveVisited();
    if (mode === 'boxes') this.focus = 'set';
    if (mode === 'compare') this.focus = this.shownColumns[0]?.key ?? 'recipe';
    if (mode === 'duel') {
      this.selected = null;
      this.playback.time = 0;
      if (this.duelSettings.clipA === null) this.setDefaultClips();
    }
    await this.enter();
  }

  /** Shows the mode at once with what is loaded, and loads the rest. */
  private async enter(): Promise<void> {
    if (this.mode !== 'duel') {
      this.generation++;
      this.duel = null;
      this.screen.say('', '');
    }
    this.arrange();
    this.stage.frame(this.mode === 'duel' ? 'side' : 'iso');
    this.refresh();
    if (this.mode === 'compare') await this.bakeColumns();
    if (this.mode !== 'duel') return;
    const generation = this.generation + 1;
    await this.reload();
    if (generation === this.generation) this.stage.frame('side');
  }

  /** Reads what is shown from the server again; what is on the screen stays until the new is there. */
  async reload(prepare: () => void = () => {}): Promise<void> {
    const generation = ++this.generation;
    this.screen.say('progress', `Baking ${this.name}…`);
    await this.ask(async () => {
      try {
        const first = await this.library.load(this.index, {}, { present: this.first, early: (actor) => this.showEarly(actor, generation) });
        const second = this.mode === 'duel' ? await this.loadOther(first) : this.second;
        const duel = this.mode === 'duel' ? await this.loadDuel() : null;
        if (generation !== this.generation) {
          if (first.actor !== this.first?.actor) this.library.drop(first.actor);
          if (second && second.actor !== this.second?.actor) this.library.drop(second.actor);
          return;
        }
        if (this.second?.actor !== second?.actor) this.library.drop(this.second?.actor);
        if (this.first?.actor !== first.actor) this.library.drop(this.first?.actor);
        const anew = this.first === null;
        [this.first, this.second, this.duel, this.early] = [first, second, duel, null];
        if (anew) prepare();
        this.screen.say('', '');
        void this.learnEscapes(first, {});
        void this.dress(first);
      } catch (error) {
        if (generation !== this.generation) return;
        this.fail(error);
      }
      if (this.playback.clip !== null && this.playback.clip >= this.clips.length) this.playback.clip = null;
      this.arrange();
      this.refresh();
    });
    if (generation === this.generation && this.mode === 'compare' && this.first) await this.bakeColumns();
  }

  /** Goes to a moment; joints, hitboxes and contacts follow. */
  seek(time: number): void {
    this.playback.time = Math.min(Math.max(time, 0), this.seconds);
    this.leaveVisited();
    this.pose();
    this.screen.updateTime();
    this.address.changed();
  }

  /** Length of what plays. */
  get seconds(): number {
    if (this.duel) return this.duel.ticks.at(-1)?.time ?? 0;
    const { clip } = this.playback;
    return clip === null ? 0 : (this.first?.actor.clips[clip]?.seconds ?? 0);
  }

  get time(): number {
    return this.playback.time;
  }

  get clip(): number | null {
    return this.playback.clip;
  }

  get playing(): boolean {
    return this.playback.playing;
  }

  get clips(): string[] {
    return this.first?.actor.clips.map((clip) => clip.name) ?? [];
  }

  /** The bake that the tables are about. */
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

  /** The columns that can be chosen: "as set" only where no preset gives the same. */
  get choosable(): Column[] {
    return this.columns.filter(({ key }) => {
      if (key === 'set') return this.first !== null && !isPlainPreset(this.first.bake, this.columns);
      return this.source.live || key !== 'yours';
    });
  }

  get shownColumns(): Column[] {
    return this.choosable.filter(({ shown }) => shown);
  }

  /** Height of the hitboxes at rest, in model units. */
  get height(): number {
    const bounds = this.first?.bake.bounds;
    return bounds ? bounds.max[1] - bounds.min[1] : 1;
  }

  /** The tick that is shown. */
  get tick(): Tick | null {
    return this.duel && tickAt(this.duel, this.duelSettings.fps, this.time);
  }

  play(playing = !this.playing): void {
    this.playback.playing = playing && this.seconds > 0;
    this.screen.updateTime();
    this.address.changed();
  }

  setClip(clip: number | null): void {
    Object.assign(this.playback, { clip, time: 0, playing: this.playing && clip !== null });
    this.leaveVisited();
    this.pose();
    this.refresh();
  }

  /** Selects a joint; the selected one again, or `null`, selects nothing. */
  select(joint: number | null): void {
    this.selected = joint === this.selected ? null : joint;
    this.leaveVisited();
    this.style();
    this.refresh();
    this.screen.reveal();
  }

  /** Hides the selected joint's hitboxes, or shows them again; with nothing selected, shows all. */
  hide(): void {
    if (this.selected === null) return this.showAll();
    const hidden = new Set(this.hidden);
    if (!hidden.delete(this.selected)) hidden.add(this.selected);
    this.setHidden(hidden);
  }

  /** Hides all hitboxes but those of the selected joint; again, shows all. */
  isolate(): void {
    if (this.selected === null || !this.bake) return;
    const others = this.bake.bake.joints.flatMap((_, joint) => (joint === this.selected ? [] : [joint]));
    const isAlone = others.every((joint) => this.hidden.has(joint)) && !this.hidden.has(this.selected);
    this.setHidden(new Set(isAlone ? [] : others));
  }

  showAll(): void {
    this.setHidden(new Set());
  }

  /** Whether a click on that actor's hitboxes selects them: in a duel those of the first alone. */
  canSelect(actor: Actor): boolean {
    return this.mode === 'compare' || actor === this.first?.actor;
  }

  /** Puts the selected joint's hitboxes into the picture, or everything where nothing is selected. */
  frameSelection(): void {
    const actor = this.actors[0];
    if (this.selected === null || !actor) return this.look(this.mode === 'duel' ? 'side' : 'iso');
    const bounds = actor.boundsOf(this.selected);
    const center = bounds.getCenter(new THREE.Vector3());
    // With some room around, and never nearer than a twentieth of the height.
    const radius = Math.max(bounds.getSize(new THREE.Vector3()).length(), 0.05 * this.height);
    this.stage.camera.lookAt(center, this.stage.camera.direction, radius);
    this.stage.invalidate();
    this.address.changed();
  }

  /** Jumps to where a joint's surface is farthest outside. */
  visit(escape: Escape): void {
    const clip = escape.clip === null ? null : this.clips.indexOf(escape.clip);
    const start = clip === null ? 0 : (this.first?.actor.clips[clip]?.start ?? 0);
    Object.assign(this.playback, { clip, playing: false });
    this.playback.time = Math.min(Math.max(escape.time - start, 0), this.seconds);
    this.pose();
    this.selected = this.jointNamed(escape.joint);
    this.visited = escape;
    if (this.display.surface === 'textured' || this.display.surface === 'clay') this.display.surface = 'outside';
    this.style();
    const point = new THREE.Vector3(...escape.point);
    const { camera } = this.stage;
    const direction = this.first?.actor.clearDirection(point, camera.direction, DOT * this.height);
    camera.lookAt(point, direction ?? camera.direction, 0.28 * this.height);
    this.refresh();
  }

  /** Jumps to the escape that is `step` after the one that was jumped to. */
  nextEscape(step: number): void {
    const escapes = this.mode === 'duel' ? [] : (this.current?.escapes ?? []);
    if (escapes.length === 0) return;
    const now = this.visited ? escapes.indexOf(this.visited) : -1;
    this.visit(escapes[now < 0 ? 0 : (now + step + escapes.length) % escapes.length]!);
  }

  setDisplay(change: Partial<Display>): void {
    this.display = { ...this.display, ...change };
    this.style();
    this.refresh();
  }

  setNames(names: boolean): void {
    this.names = names;
    this.refresh();
  }

  setSort(sort: SortKey): void {
    this.sort = sort;
    this.screen.update();
  }

  /** Puts a way to bake into the picture, or takes it out; one stays. */
  showColumn(key: string): void {
    const column = this.column(key);
    if (!column || (column.shown && this.shownColumns.length === 1)) return;
    column.shown = !column.shown;
    if (!column.shown && this.focus === key) this.focus = this.shownColumns[0]!.key;
    if (column.shown) this.focusOn(key);
    this.arrange();
    this.stage.frame('iso');
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

  /** Sets an option of the column that is one's own. */
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
    this.address.changed();
  }

  look(direction: Direction): void {
    this.stage.frame(direction);
    this.address.changed();
  }

  /** Writes a proposal into the settings and bakes with it. */
  async apply(change: Change): Promise<void> {
    await this.ask(async () => {
      try {
        await this.source.apply(change);
        await this.reload();
      } catch (error) {
        this.fail(error);
      }
    });
  }

  /** For tests and the console. */
  get canvas(): HTMLCanvasElement {
    return this.stage.canvas;
  }

  /** For tests and the console: where the hitboxes are, of each actor in the picture. */
  corners(): ReturnType<Actor['corners']>[] {
    return this.actors.map((actor) => actor.corners());
  }

  /** Everyone in the picture, from left to right. */
  private get actors(): Actor[] {
    if (this.mode === 'compare') return this.shownColumns.flatMap(({ loaded, blank }) => loaded?.actor ?? blank ?? []);
    const both = this.mode === 'duel' ? [this.first, this.second] : [this.first];
    return both.flatMap((loaded) => (loaded ? [loaded.actor] : []));
  }

  jointNamed(name: string | null): number | null {
    const joint = this.first?.model.joints.findIndex((joint) => joint.name === name) ?? -1;
    return joint < 0 ? null : joint;
  }

  fail(error: unknown): void {
    const known = error instanceof Refused;
    if (!known) console.error(error);
    if (!known) return this.screen.say('error', `Something is wrong in the page: ${String(error)}`);
    const stays = this.first ? '\n\nThe hitboxes shown are the last good ones. Save the file again, and it is baked again.' : '';
    this.screen.say('error', `${this.name ? `${this.name} cannot be shown` : 'Nothing can be shown'}\n${error.message}${stays}`);
  }

  refresh(): void {
    this.screen.update();
    this.stage.invalidate();
    this.address.changed();
  }

  private setHidden(hidden: ReadonlySet<number>): void {
    this.hidden = hidden;
    this.style();
    this.refresh();
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

  /** The character is seen before its hitboxes are. */
  private showEarly(actor: Actor, generation: number): void {
    if (generation !== this.generation) return;
    actor.show(this.display);
    this.stage.setViews([{ title: '', actors: [actor] }]);
    this.early = actor;
    this.stage.frame('iso');
  }

  private async dress({ model }: Loaded): Promise<void> {
    await this.ask(() => this.library.dress(this.index, model));
    this.stage.invalidate();
  }

  /** Asks which joints' surface leaves the hitboxes, when these are on the screen already. */
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
    await Promise.all(this.choosable.filter(({ key, shown }) => shown || key !== 'yours').map((column) => this.bakeColumn(column)));
  }

  private async bakeColumn(column: Column): Promise<void> {
    const asked = ++column.asked;
    column.since = performance.now();
    this.refresh();
    await this.ask(async () => {
      try {
        const loaded = await this.library.load(this.index, column.options, { present: column.loaded, other: this.first, blank: column.blank });
        if (asked !== column.asked) {
          if (loaded.actor !== column.loaded?.actor && loaded.actor !== column.blank) this.library.drop(loaded.actor);
          return;
        }
        for (const old of [column.loaded?.actor, column.blank]) if (old !== loaded.actor) this.library.drop(old);
        Object.assign(column, { loaded, blank: null, error: null });
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
    this.library.drop(column.loaded?.actor);
    this.library.drop(column.blank);
    Object.assign(column, { loaded: null, blank: null, since: null, error: null });
  }

  private async loadOther(first: Loaded): Promise<Loaded> {
    const { other } = this.duelSettings;
    const present = this.second && this.second.bake.bake.name === this.listing.characters[other]?.name ? this.second : null;
    const second = await this.library.load(other, {}, { present, other: other === this.index ? first : null });
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

  /** Puts everyone into the views of the mode. */
  private arrange(): void {
    const { first, second, early } = this;
    let views: View[] = first ? [{ title: '', actors: [first.actor] }] : early ? [{ title: '', actors: [early] }] : [];
    first?.actor.light(null);
    if (this.mode === 'compare' && first) {
      for (const column of this.shownColumns) if (!column.loaded && !column.blank) column.blank = this.library.actor(first.model);
      views = this.shownColumns.map(viewOf);
    } else if (this.mode === 'duel' && first && second && this.duel) {
      place(second, this.duel);
      views = [{ title: '', actors: [first.actor, second.actor] }];
    }
    this.stage.setViews(views);
    this.style();
    this.playback.time = Math.min(this.time, this.seconds);
    this.pose();
  }

  /** Has everyone in the picture look as the display, the selection and the visited escape say. */
  private style(): void {
    for (const actor of this.actors) {
      const isOther = this.mode === 'duel' && actor !== this.first?.actor;
      actor.show(this.display);
      actor.select(isOther ? null : this.selected);
      actor.hide(isOther ? new Set() : this.hidden);
      actor.mark(this.visited?.point ?? null, DOT * this.height);
    }
    this.stage.invalidate();
  }

  private leaveVisited(): void {
    if (!this.visited) return;
    this.visited = null;
    this.style();
    this.screen.update();
  }

  private pose(): void {
    const { first, second } = this;
    if (this.mode === 'duel' && first && second && this.duel) poseBoth(first, second, this.duelSettings, this.tick);
    else this.actors.forEach((actor) => actor.pose(this.clip, this.time));
    this.stage.invalidate();
  }

  private frame(now: number): void {
    const next = this.playback.advance(now, this.seconds);
    if (next !== null) this.seek(next);
    // The seconds beside what is being baked go on.
    const waiting = this.mode === 'compare' && this.shownColumns.some(({ since }) => since !== null);
    if (waiting && Math.floor(now / 500) !== this.halfSeconds) {
      this.halfSeconds = Math.floor(now / 500);
      this.stage.setViews(this.shownColumns.map(viewOf));
    }
    this.stage.draw(now, this.playing, () => this.labels());
    requestAnimationFrame((later) => this.frame(later));
  }

  /** Of the joints with hitboxes, those with the largest first. */
  private labels(): Label[] {
    const shown =
      this.mode === 'compare' ? this.shownColumns.map(({ loaded }) => loaded) : this.mode === 'duel' ? [this.first, this.second] : [this.first];
    return shown.flatMap((loaded) => {
      if (!loaded) return [];
      const { joints, boxes } = loaded.bake.bake;
      const isOther = this.mode === 'duel' && loaded === this.second;
      const largest = [...boxes].sort((a, b) => b.volume - a.volume).map((box) => box.joint_index);
      const all = this.names ? largest.filter((joint) => isOther || !this.hidden.has(joint)) : [];
      const mine = this.selected !== null && !isOther ? [this.selected] : [];
      return [...new Set([...mine, ...all])].map((joint) => {
        const text = joints[joint]?.name ?? '';
        const at = this.visited?.joint === text ? { at: this.visited.point } : {};
        return { actor: loaded.actor, joint, text, ...at };
      });
    });
  }
}
