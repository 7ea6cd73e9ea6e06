// The page: its state, and how it hangs together.

import './style.css';
import * as THREE from 'three';
import { Actor, affine, type BoxStyle, type Display, type Surface } from './actor';
import { h } from './dom';
import { DEFAULT_DUEL, Panel, type DuelSettings, type Mode } from './panel';
import { Refused, source, type Options } from './source';
import { Stage, type Direction, type View } from './stage';
import { type SortKey } from './table';
import { Timeline } from './timeline';
import type { Bake, Duel, Listing, Model } from './types';

/** How often the server is asked whether a file has changed, in milliseconds. */
const WATCH_INTERVAL = 700;

/** What is loaded of a character. */
interface Loaded {
  model: Model;
  bake: Bake;
  actor: Actor;
}

export class App {
  listing!: Listing;
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
  sort: SortKey = 'fill';
  /** The other options of a comparison. */
  variant: Options = {};
  duelSettings: DuelSettings = { ...DEFAULT_DUEL };
  duel: Duel | null = null;

  readonly source = source();
  private readonly stage: Stage;
  private readonly panel: Panel;
  private readonly timeline: Timeline;
  private readonly message = h('div', { class: 'message', role: 'status' });
  private first: Loaded | null = null;
  private second: Loaded | null = null;
  private version = '';
  private generation = 0;
  private lastFrame = 0;
  /** Whether something is being read from the server. */
  busy = false;

  constructor(holder: HTMLElement) {
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
    this.say('loading', 'Loading…');
    try {
      this.listing = await this.source.listing();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.listing.characters.length === 0) {
      this.say('empty', 'No characters here. Start `bonebox view` with a .glb, .gltf or .vrm file, or a folder of them.');
      this.panel.update();
      return;
    }
    requestAnimationFrame((now) => this.frame(now));
    await this.open(0);
    if (this.source.live) void this.watch();
  }

  /** Looks at another character. */
  async open(index: number): Promise<void> {
    this.index = index;
    this.clip = null;
    this.time = 0;
    this.selected = null;
    this.first?.actor.dispose();
    this.first = null;
    await this.reload();
    this.stage.frame('iso');
  }

  async setMode(mode: Mode): Promise<void> {
    this.mode = mode;
    if (mode === 'duel') {
      this.clip = null;
      this.time = 0;
      if (this.duelSettings.clipA === null) this.setDefaultClips();
    }
    await this.reload();
    this.stage.frame(mode === 'duel' ? 'side' : 'iso');
  }

  /** Reads what is shown from the server again; what is on the screen stays until the new is there. */
  async reload(): Promise<void> {
    const generation = ++this.generation;
    this.busy = true;
    this.say('loading', 'Baking…', 250);
    try {
      const first = await this.load(this.index, {}, this.first);
      const second = await this.loadSecond(first);
      const duel = this.mode === 'duel' ? await this.loadDuel() : null;
      if (generation !== this.generation) return;
      if (this.second && this.second.actor !== second?.actor) this.second.actor.dispose();
      if (this.first && this.first.actor !== first.actor) this.first.actor.dispose();
      [this.first, this.second, this.duel] = [first, second, duel];
      this.say('', '');
    } catch (error) {
      if (generation !== this.generation) return;
      this.fail(error);
    }
    if (this.clip !== null && this.clip >= (this.first?.actor.clips.length ?? 0)) this.clip = null;
    this.arrange();
    this.refresh();
    this.busy = false;
  }

  /** Goes to a moment; joints, boxes and contacts follow. */
  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.seconds);
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

  get bake(): Bake | null {
    return this.first?.bake ?? null;
  }

  get otherBake(): Bake | null {
    return this.second?.bake ?? null;
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
    this.pose();
    this.refresh();
  }

  select(joint: number | null): void {
    this.selected = joint === this.selected ? null : joint;
    this.first?.actor.select(this.selected);
    if (this.mode === 'compare') this.second?.actor.select(this.selected);
    this.stage.invalidate();
    this.panel.update();
  }

  /** Jumps to a clip, a time on its own clock, and a joint. */
  visit(clip: string | undefined, time: number, joint: string): void {
    const index = clip === undefined ? -1 : this.clips.indexOf(clip);
    this.setClip(index < 0 ? null : index);
    this.playing = false;
    if (index >= 0) this.seek(time - this.first!.actor.clips[index]!.start);
    const found = this.bake?.bake.joints.findIndex(({ name }) => name === joint) ?? -1;
    this.selected = null;
    if (found >= 0) {
      this.select(found);
      this.stage.lookAt(this.first!.actor.place(found, new THREE.Vector3()));
    }
    this.refresh();
  }

  setDisplay(change: Partial<Display>): void {
    this.display = { ...this.display, ...change };
    this.first?.actor.show(this.display);
    this.second?.actor.show(this.display);
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

  setVariant(key: string, value: string): void {
    if (value === '') delete this.variant[key];
    else this.variant[key] = value;
    void this.reload();
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

  /** For tests and the console: where the boxes are. */
  corners(): ReturnType<Actor['corners']>[] {
    return [this.first, this.second].flatMap((loaded) => (loaded ? [loaded.actor.corners()] : []));
  }

  private async load(id: number, options: Options, present: Loaded | null): Promise<Loaded> {
    const bake = await this.source.bake(id, options);
    // The same bytes are the same model: it keeps its place on the graphics card, only the boxes change.
    if (present && present.bake.bake.source.blake3 === bake.bake.source.blake3) {
      present.actor.setBake(bake);
      return { model: present.model, bake, actor: present.actor };
    }
    const model = await this.source.model(id);
    const actor = new Actor(model, bake);
    actor.show(this.display);
    return { model, bake, actor };
  }

  private async loadSecond(first: Loaded): Promise<Loaded | null> {
    if (this.mode === 'compare') return this.load(this.index, this.variant, null);
    if (this.mode !== 'duel') return null;
    const { other } = this.duelSettings;
    const second = await this.load(other, {}, null);
    if (this.duelSettings.clipA === null) this.duelSettings.clipA = first.actor.clips[0]?.name ?? '';
    if (this.duelSettings.clipB === null) this.duelSettings.clipB = second.actor.clips[0]?.name ?? '';
    return second;
  }

  private loadDuel(): Promise<Duel> {
    const { other, clipA, clipB, distance, turn, fps } = this.duelSettings;
    const query = { a: this.index, b: other, clipA: clipA ?? '', clipB: clipB ?? '', distance, turn, fps };
    return this.source.duel(query, {});
  }

  /** Two that stand apart by half their height, each in its most lively clip. */
  private setDefaultClips(): void {
    const many = this.listing.characters.length;
    this.duelSettings.other = many > 1 ? (this.index + 1) % many : this.index;
    this.duelSettings.distance = Number((0.5 * this.height).toPrecision(2));
  }

  /** Who is seen where. */
  private arrange(): void {
    const { first, second } = this;
    if (!first) {
      this.stage.setViews([]);
      return;
    }
    let views: View[] = [{ title: '', actors: [first.actor] }];
    first.actor.light(null);
    if (second && this.mode === 'compare') {
      views = [
        { title: 'default', actors: [first.actor] },
        { title: describe(this.variant), actors: [second.actor] },
      ];
    } else if (second && this.duel) {
      second.actor.root.matrixAutoUpdate = false;
      second.actor.root.matrix.copy(affine(this.duel.place));
      views = [{ title: '', actors: [first.actor, second.actor] }];
    }
    this.stage.setViews(views);
    first.actor.select(this.selected);
    this.time = Math.min(this.time, this.seconds);
    this.pose();
  }

  private pose(): void {
    const { first, second } = this;
    if (!first) return;
    if (this.mode === 'duel' && second && this.duel) {
      const tick = this.tick;
      // At the tick itself, so that what is seen is what was tested.
      const time = tick?.time ?? 0;
      first.actor.pose(clipNumber(first.actor, this.duelSettings.clipA), time);
      second.actor.pose(clipNumber(second.actor, this.duelSettings.clipB), time);
      first.actor.light(jointsNamed(first.model, tick?.pairs.map(({ a }) => a) ?? []));
      second.actor.light(jointsNamed(second.model, tick?.pairs.map(({ b }) => b) ?? []));
    } else {
      first.actor.pose(this.clip, this.time);
      second?.actor.pose(this.clip, this.time);
    }
    this.stage.invalidate();
  }

  private frame(now: number): void {
    const elapsed = Math.min((now - this.lastFrame) / 1000, 0.1);
    this.lastFrame = now;
    if (this.playing && this.seconds > 0) {
      const next = this.time + elapsed * this.speed;
      this.seek(next > this.seconds ? next % this.seconds : next);
    }
    if (this.stage.draw()) this.stage.label(this.labels());
    requestAnimationFrame((later) => this.frame(later));
  }

  private labels(): { actor: Actor; joint: number; text: string }[] {
    return [this.first, this.second].flatMap((loaded) => {
      if (!loaded) return [];
      const { joints, boxes } = loaded.bake.bake;
      const all = this.names ? [...new Set(boxes.map((box) => box.joint_index))] : [];
      const joined = this.selected !== null && loaded === this.first ? [...all, this.selected] : all;
      return [...new Set(joined)].map((joint) => ({ actor: loaded.actor, joint, text: joints[joint]?.name ?? '' }));
    });
  }

  private refresh(): void {
    this.panel.update();
    this.timeline.update();
    this.stage.invalidate();
  }

  private async watch(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL));
      try {
        const version = await this.source.version(this.index);
        const changed = this.version !== '' && version !== this.version;
        this.version = version;
        if (changed) await this.reload();
        else if (this.message.dataset.kind === 'lost') this.say('', '');
      } catch (error) {
        this.say('lost', error instanceof Error ? error.message : String(error));
      }
    }
  }

  private fail(error: unknown): void {
    const known = error instanceof Refused;
    if (!known) console.error(error);
    this.say('error', known ? error.message : `Something is wrong in the page: ${String(error)}`);
  }

  /** Words over the picture; after a while only, where the wait is short mostly. */
  private say(kind: string, text: string, delay = 0): void {
    clearTimeout(this.saying);
    this.saying = setTimeout(
      () => {
        this.message.dataset.kind = kind;
        this.message.textContent = text;
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
      const joint = hit && hit.actor === this.first?.actor ? hit.joint : null;
      if (joint !== null || this.selected !== null) this.select(joint);
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target as HTMLElement, event.key)) return;
    const styles: BoxStyle[] = ['solid', 'wire', 'x-ray', 'off'];
    const surfaces: Surface[] = ['solid', 'ghost', 'off'];
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
      Escape: () => (this.selected === null ? this.panel.closeHelp() : this.select(null)),
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
  return words.join(', ') || 'default too: choose an option';
}

declare global {
  interface Window {
    bonebox: App;
  }
}

const holder = document.getElementById('app')!;
try {
  window.bonebox = new App(holder);
  void window.bonebox.start();
} catch (error) {
  holder.textContent = `This page needs WebGL, which the browser does not give: ${String(error)}`;
}
