// The state of the page, and the commands that change it.

import * as THREE from 'three';
import { Refused, type Change, type Source } from '../data/source';
import type { Bake, Listing, Tick } from '../data/types';
import type { Actor, Display } from '../scene/actor';
import type { Direction } from '../scene/camera';
import { Stage } from '../scene/stage';
import { AddressWriter, readAddress, type Address } from './address';
import { Cast } from './cast';
import { Comparison } from './comparison';
import type { DuelSettings } from './duel';
import { Encounter } from './encounter';
import { Library, type Loaded } from './library';
import { Picture } from './picture';
import { Playback } from './playback';
import { RayTool } from './rayTool';
import { NO_SCREEN, type Screen } from './screen';
import { Selection } from './selection';
import { readState, writeState } from './state';
import { Visits } from './visits';
import { watch } from './watch';

export type Mode = 'boxes' | 'compare' | 'duel' | 'live';
export type SortKey = 'joint' | 'escape' | 'outside' | 'fill' | 'ratio';

/** Frames between two updates of the clock while something plays, and the bounds of the time between them in milliseconds. */
const TELL = { frames: 5, least: 80, most: 300 };

export class App {
  screen: Screen = NO_SCREEN;
  listing: Listing = { tool: '', characters: [], options: [], tracker: null };
  /** The number of the character on the page. */
  index = 0;
  mode: Mode = 'boxes';
  display: Display;
  names = false;
  sort: SortKey = 'escape';
  readonly selection = new Selection();
  readonly playback = new Playback();
  readonly stage: Stage;
  readonly library: Library;
  readonly comparison: Comparison;
  readonly cast: Cast;
  readonly encounter: Encounter;
  readonly picture: Picture;
  readonly rayTool: RayTool;
  readonly visits: Visits;

  private generation = 0;
  private asked = 0;
  /** The times at which the screen last got the time while something plays, and at which the last frame was drawn, in milliseconds. */
  private toldAt = 0;
  private lastFrame = 0;
  private readonly address = new AddressWriter(() => writeState(this));

  constructor(
    holder: HTMLElement,
    readonly source: Source,
  ) {
    this.display = { surface: source.hasServer ? 'textured' : 'clay', boxes: 'solid', skeleton: false };
    this.library = new Library(source);
    this.cast = new Cast(this.library);
    this.comparison = new Comparison(this);
    this.encounter = new Encounter(this);
    this.picture = new Picture(this);
    this.rayTool = new RayTool(this);
    this.visits = new Visits(this);
    this.stage = new Stage(holder);
    this.stage.camera.onMoved = () => this.address.changed();
  }

  /** Loads the list, then the character that the page's address names, or the first character. */
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
    if (this.hasServer) void watch(this);
  }

  /** Shows the state that an address describes. */
  private async restore(address: Address): Promise<void> {
    const state = readState(this, address);
    await this.open(state.index, async () => {
      const { clips } = this;
      this.mode = state.mode;
      this.display = { ...this.display, ...state.display };
      this.names = state.names;
      if (state.shown) for (const column of this.comparison.columns) column.shown = state.shown.includes(column.key);
      if (state.focus) this.comparison.focus = state.focus;
      this.encounter.restore(state.duel);
      if (state.clip !== null) this.playback.clip = clips.indexOf(state.clip) < 0 ? null : clips.indexOf(state.clip);
      this.selection.joint = this.jointNamed(state.joint);
      this.selection.hidden = new Set(state.hidden.flatMap((name) => this.jointNamed(name) ?? []));
    });
    if (this.mode !== 'boxes') await this.enter();
    this.seek(state.time);
    if (state.camera) this.stage.camera.pose = state.camera;
    this.refresh();
  }

  /** Returns whether the page waits for an answer of the server. */
  get busy(): boolean {
    return this.asked > 0;
  }

  /** Shows another character with its first clip. Calls `prepare` when the character is loaded, before it is shown. */
  async open(index: number, prepare: () => void = () => {}): Promise<void> {
    this.index = index;
    this.selection.clear();
    this.visits.visited = null;
    this.encounter.end();
    Object.assign(this.playback, { clip: null, time: 0, playing: false });
    this.stage.setViews([]);
    this.cast.clear();
    this.comparison.clear();
    document.title = `${this.name} · bonebox`;
    this.refresh();
    const generation = this.generation + 1;
    await this.reload(() => {
      this.playback.clip = this.clips.length > 0 ? 0 : null;
      prepare();
    });
    if (generation === this.generation && !this.hasOpponent) this.stage.frame('iso');
  }

  /** The name of the character on the page. */
  get name(): string {
    return this.listing.characters[this.index]?.name ?? '';
  }

  /** The modes that can be chosen. */
  get modes(): Mode[] {
    const withServer: Mode[] = this.hasServer ? ['duel'] : [];
    return ['boxes', 'compare', ...withServer, ...(this.listing.tracker === null ? [] : (['live'] as const))];
  }

  async setMode(mode: Mode): Promise<void> {
    if (mode === this.mode || !this.modes.includes(mode)) return;
    this.mode = mode;
    this.visits.leave();
    if (mode === 'compare') this.comparison.focus = this.comparison.shown[0]?.key ?? 'recipe';
    if (this.hasOpponent) {
      this.selection.joint = null;
      this.playback.time = 0;
    }
    await this.enter();
  }

  /** Shows the mode at once with what is loaded, and loads the rest. */
  private async enter(): Promise<void> {
    this.encounter.end();
    if (this.hasOpponent) this.encounter.setDefaults();
    else this.generation++;
    if (this.mode === 'live') this.playback.playing = false;
    this.screen.say('', '');
    this.arrange();
    this.stage.frame(this.hasOpponent ? 'side' : 'iso');
    this.refresh();
    if (this.mode === 'compare') await this.comparison.bake();
    if (!this.hasOpponent) return;
    const generation = this.generation + 1;
    await this.reload();
    if (generation === this.generation) this.stage.frame('side');
  }

  /** Reads the shown data from the server again. The old picture stays until the new data have arrived. */
  async reload(prepare: () => void = () => {}): Promise<void> {
    const generation = ++this.generation;
    const { cast } = this;
    this.screen.say('progress', `Baking ${this.name}…`);
    await this.ask(async () => {
      try {
        const first = await this.library.load(this.index, {}, { present: cast.first, early: (actor) => this.showEarly(actor, generation) });
        const opponent = this.hasOpponent ? await this.encounter.loadOpponent(first) : cast.opponent;
        const duel = this.mode === 'duel' ? await this.encounter.loadDuel() : null;
        if (generation !== this.generation) return cast.discard(first, opponent);
        const isNew = cast.first === null;
        cast.replace(first, opponent);
        this.encounter.duel = duel;
        this.encounter.skinProblem = null;
        if (isNew) prepare();
        this.screen.say('', '');
        void this.visits.learn(first, {}).then(() => isNew && this.encounter.bakeAhead());
        void this.dress(this.index, first);
        if (opponent && this.hasOpponent) void this.dress(this.encounter.settings.other, opponent);
      } catch (error) {
        if (generation !== this.generation) return;
        this.fail(error);
      }
      if (this.playback.clip !== null && this.playback.clip >= this.clips.length) this.playback.clip = null;
      if (this.mode === 'live' && cast.opponent) this.encounter.follow((isFirst) => this.meet(isFirst));
      this.arrange();
      this.refresh();
    });
    if (generation !== this.generation) return;
    if (this.encounter.duel) void this.testSkins(generation);
    if (this.isComparing && this.first) await this.comparison.bake();
  }

  /** Asks which skins touch in the duel. The hitboxes that touch are already in the picture. */
  private async testSkins(generation: number): Promise<void> {
    const { encounter } = this;
    await this.ask(async () => {
      try {
        const duel = await encounter.loadDuel(true);
        if (generation === this.generation && encounter.duel) encounter.duel = duel;
      } catch (error) {
        if (generation !== this.generation) return;
        if (!(error instanceof Refused)) return this.fail(error);
        encounter.skinProblem = error.message;
      }
      if (generation !== this.generation) return;
      this.picture.pose();
      this.refresh();
    });
  }

  /** Goes to a moment; joints, hitboxes and contacts follow. */
  seek(time: number): void {
    this.playback.time = Math.min(Math.max(time, 0), this.seconds);
    this.visits.leave();
    this.picture.pose();
    this.screen.updateTime();
    this.address.changed();
  }

  /** The length of the clip or duel, in seconds. */
  get seconds(): number {
    if (this.mode === 'live') return 0;
    const { duel } = this.encounter;
    if (duel) return duel.ticks.at(-1)?.time ?? 0;
    const { clip } = this.playback;
    return clip === null ? 0 : (this.first?.actor.clips[clip]?.seconds ?? 0);
  }

  get time(): number {
    return this.encounter.feed?.moment?.time ?? this.playback.time;
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

  /** The character on the page, baked with its settings. */
  get first(): Loaded | null {
    return this.cast.first;
  }

  /** The bake that the tables describe. */
  get current(): Loaded | null {
    return this.isComparing ? this.comparison.current : this.first;
  }

  get bake(): Bake | null {
    return this.first?.bake ?? null;
  }

  get otherBake(): Bake | null {
    return this.cast.opponent?.bake ?? null;
  }

  get hasServer(): boolean {
    return this.source.hasServer;
  }

  get isComparing(): boolean {
    return this.mode === 'compare';
  }

  /** Returns whether two characters stand opposite each other. */
  get hasOpponent(): boolean {
    return this.mode === 'duel' || this.mode === 'live';
  }

  /** Height of the hitboxes at rest, in model units. */
  get height(): number {
    const bounds = this.first?.bake.bounds;
    return bounds ? bounds.max[1] - bounds.min[1] : 1;
  }

  /** The tick in the picture. */
  get tick(): Tick | null {
    return this.encounter.tickAt(this.time);
  }

  play(playing = !this.playing): void {
    this.playback.playing = playing && this.seconds > 0;
    this.screen.updateTime();
    this.address.changed();
  }

  setClip(clip: number | null): void {
    Object.assign(this.playback, { clip, time: 0, playing: this.playing && clip !== null });
    this.visits.leave();
    this.picture.pose();
    this.refresh();
  }

  /** Selects a joint. The selected joint again, or `null`, clears the selection. */
  select(joint: number | null): void {
    this.selection.toggle(joint);
    this.visits.leave();
    this.restyle();
    this.screen.reveal();
  }

  /** Hides the selected joint's hitboxes, or shows them again. Without a selection, shows all hitboxes. */
  hide(): void {
    this.selection.hide();
    this.restyle();
  }

  /** Hides all hitboxes except those of the selected joint. The second call shows all hitboxes again. */
  isolate(): void {
    this.selection.isolate(this.bake?.bake.joints.length ?? 0);
    this.restyle();
  }

  showAll(): void {
    this.selection.showAll();
    this.restyle();
  }

  /** Returns whether a click on the actor's hitboxes selects them. In a duel only the first character's hitboxes can be selected. */
  canSelect(actor: Actor): boolean {
    return this.isComparing || actor === this.first?.actor;
  }

  /** Moves the camera to the selected joint's hitboxes, or to the whole scene if nothing is selected. */
  frameSelection(): void {
    const actor = this.picture.actors[0];
    const { joint } = this.selection;
    if (joint === null || !actor) return this.look(this.hasOpponent ? 'side' : 'iso');
    const bounds = actor.boundsOf(joint);
    const center = bounds.getCenter(new THREE.Vector3());
    // Leave some room around the hitboxes, and never come nearer than a twentieth of the height.
    const radius = Math.max(bounds.getSize(new THREE.Vector3()).length(), 0.05 * this.height);
    this.stage.camera.lookAt(center, this.stage.camera.direction, radius);
    this.stage.invalidate();
    this.address.changed();
  }

  setDisplay(change: Partial<Display>): void {
    this.display = { ...this.display, ...change };
    this.restyle();
  }

  setNames(names: boolean): void {
    this.names = names;
    this.refresh();
  }

  setSort(sort: SortKey): void {
    this.sort = sort;
    this.screen.update();
  }

  setDuel(change: Partial<DuelSettings>): void {
    const { encounter } = this;
    const others = change.other !== undefined && change.other !== encounter.settings.other;
    encounter.settings = { ...encounter.settings, ...change };
    if (others) encounter.settings.clipB = null;
    void this.reload();
    this.address.changed();
  }

  frameAll(): void {
    this.stage.frame('iso');
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

  /** For tests and the console: the places of the hitboxes of each actor in the picture. */
  corners(): ReturnType<Actor['corners']>[] {
    return this.picture.actors.map((actor) => actor.corners());
  }

  jointNamed(name: string | null): number | null {
    const joint = this.first?.model.joints.findIndex((joint) => joint.name === name) ?? -1;
    return joint < 0 ? null : joint;
  }

  fail(error: unknown): void {
    const known = error instanceof Refused;
    if (!known) console.error(error);
    if (!known) return this.screen.say('error', `The page has an error: ${String(error)}. Reload it; if the error returns, please report it.`);
    const stays = this.first ? '\n\nThe page shows the last good hitboxes. Save the file again to bake it again.' : '';
    this.screen.say('error', `${this.name ? `${this.name} cannot be shown` : 'Nothing can be shown'}\n${error.message}${stays}`);
  }

  refresh(): void {
    this.screen.update();
    this.stage.invalidate();
    this.address.changed();
  }

  /** Counts running work. */
  async ask(work: () => Promise<void>): Promise<void> {
    this.asked++;
    try {
      await work();
    } finally {
      this.asked--;
    }
  }

  /** Shows the character before its hitboxes are baked. */
  private showEarly(actor: Actor, generation: number): void {
    if (generation !== this.generation) return;
    actor.show(this.display);
    this.stage.setViews([{ title: '', actors: [actor] }]);
    this.cast.early = actor;
    this.stage.frame('iso');
  }

  private async dress(id: number, { model }: Loaded): Promise<void> {
    await this.ask(() => this.library.dress(id, model));
    this.stage.invalidate();
  }

  /** Puts all actors into the views, posed and styled. */
  arrange(): void {
    this.playback.time = Math.min(this.playback.time, this.seconds);
    this.picture.arrange();
  }

  /** Called when the opponent's place is known. */
  private meet(isFirst: boolean): void {
    this.arrange();
    if (isFirst) this.stage.frame('side');
    this.refresh();
  }

  private restyle(): void {
    this.picture.style();
    this.refresh();
  }

  /** Advances the playback. */
  private advance(time: number, now: number): void {
    this.playback.time = time;
    this.visits.leave();
    this.picture.pose();
    this.tell(now);
  }

  /**
   * Updates the clock and the panel a few times a second, and less often if frames are slow, because each change there makes
   * the browser draw more than the picture.
   */
  private tell(now: number): void {
    const period = Math.min(Math.max(TELL.frames * (now - this.lastFrame), TELL.least), TELL.most);
    if (now - this.toldAt < period) return;
    this.toldAt = now;
    this.screen.updateTime();
  }

  private frame(now: number): void {
    const next = this.playback.advance(now, this.seconds);
    if (next !== null) this.advance(next, now);
    if (this.encounter.feed?.takeFresh()) {
      this.picture.pose();
      this.tell(now);
    }
    const counted = this.isComparing ? this.comparison.countedViews(now) : null;
    if (counted) this.stage.setViews(counted);
    this.stage.draw(now, this.playing || this.encounter.feed !== null, () => this.picture.labels());
    this.lastFrame = now;
    requestAnimationFrame((later) => this.frame(later));
  }
}
