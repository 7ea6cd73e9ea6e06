// Builds the page from its parts, and carries out the commands about the whole picture.

import type { Change, Source } from '../data/source';
import { h } from '../dom';
import type { Actions } from '../panel/actions';
import { onClick } from '../panel/pointer';
import { screen } from '../panel/screen';
import { followTheme } from '../panel/theme';
import type { Direction } from '../scene/camera';
import { Stage } from '../scene/stage';
import type { DuelSettings } from '../state/encounter';
import { Page, type Mode, type PageDisplay } from '../state/page';
import { readAddress, readState, type Address } from './address';
import { ClipTool } from './clipTool';
import { ColumnBakes } from './columnBakes';
import { FallTool } from './fallTool';
import { drawFrames } from './frames';
import { takeDroppedFiles } from './dropTool';
import { EditTool } from './editTool';
import { HistoryTool } from './historyTool';
import { takeKept } from './kept';
import { Loader } from './loader';
import { MeasureTool } from './measureTool';
import { Output } from './output';
import { Picture } from './picture';
import { RayTool } from './rayTool';
import { SelectTool } from './selectTool';
import { SharedTool } from './sharedTool';
import { ShotTool } from './shotTool';
import { StrikeTool } from './strikeTool';
import { Visits } from './visits';
import { watch } from './watch';
import { WindowTool } from './windowTool';

export class App implements Actions {
  readonly page: Page;
  readonly stage: Stage;
  readonly output: Output;
  readonly rayTool: RayTool;
  readonly picture: Picture;
  readonly visits: Visits;
  readonly clip: ClipTool;
  readonly selecting: SelectTool;
  readonly columns: ColumnBakes;
  readonly loader: Loader;
  readonly history: HistoryTool;
  readonly edit: EditTool;
  readonly windows: WindowTool;
  readonly strikes: StrikeTool;
  readonly shots: ShotTool;
  readonly shared: SharedTool;
  readonly falls: FallTool;

  constructor(holder: HTMLElement, source: Source) {
    const view = h('div', { class: 'stage' });
    const page = new Page(source);
    const stage = new Stage(view);
    const output = new Output(page, stage, screen(holder, view, page, this));
    this.rayTool = new RayTool(page, output);
    this.picture = new Picture(page, stage, this.rayTool);
    this.visits = new Visits(page, output, this.picture);
    this.clip = new ClipTool(page, output, this.picture, this.visits);
    this.selecting = new SelectTool(page, output, this.picture, this.visits);
    this.columns = new ColumnBakes(page, output, this.picture, this.visits);
    this.shared = new SharedTool(page, output, this.picture);
    this.loader = new Loader(page, output, this.picture, this.visits, this.columns, this.shared);
    this.history = new HistoryTool(page, output, this.picture, this.loader, this.columns);
    this.columns.onOptions = (before, after) => this.history.record({ label: 'change of your own options', options: [before, after] });
    this.edit = new EditTool(page, output, this.picture, this.loader, this.history, new MeasureTool(page, output));
    this.windows = new WindowTool(page, output, this.picture, this.loader, this.history);
    this.strikes = new StrikeTool(page, output, this.picture);
    this.shots = new ShotTool(page, output, this.picture);
    this.falls = new FallTool(page, output, this.picture);
    [this.page, this.stage, this.output] = [page, stage, output];
    followTheme(stage);
    onClick(stage.canvas, (event) => this.click(event));
  }

  /** Loads the list, then the character that the page's address names, or the first character. */
  async start(): Promise<void> {
    const { page, output, loader } = this;
    output.refresh();
    output.screen.say('progress', 'Loading…');
    drawFrames(page, output, this.picture, this.visits, this.falls);
    window.addEventListener('hashchange', () => void this.restore(readAddress()));
    try {
      page.listing = await page.source.listing();
      takeKept(page);
    } catch (error) {
      return output.fail(error);
    }
    if (page.listing.characters.length === 0) {
      output.screen.say('empty', 'No characters here yet.\nSave a .glb, .gltf, .vrm or .fbx file into the folder, and it appears.');
      output.refresh();
    } else {
      await this.restore(readAddress());
    }
    takeDroppedFiles(page, output, loader);
    if (page.hasServer) void watch(page, output, loader);
  }

  /** Shows the state that an address describes. */
  private async restore(address: Address): Promise<void> {
    const { page, loader } = this;
    const state = readState(page, address);
    await loader.open(state.index, () => {
      page.mode = page.modes.includes(state.mode) ? state.mode : 'boxes';
      page.display = { ...page.display, ...state.display };
      page.comparison.setOwn(state.own);
      if (state.shown) for (const column of page.comparison.columns) column.shown = state.shown.includes(column.key);
      if (state.focus) page.comparison.focus = state.focus;
      if (state.layout) page.shared.layout = state.layout;
      page.shared.hide(state.absent);
      page.encounter.restore(state.duel);
      if (state.clip !== null) page.playback.clip = page.clips.indexOf(state.clip) < 0 ? null : page.clips.indexOf(state.clip);
      page.selection.joint = page.jointNamed(state.joint);
      page.selection.hidden = new Set(state.hidden.flatMap((name) => page.jointNamed(name) ?? []));
    });
    if (page.mode !== 'boxes') await loader.enter();
    if (page.mode === 'shots') await this.shots.enter(state.shot);
    this.clip.seek(state.time);
    if (state.camera) this.stage.camera.pose = state.camera;
    this.output.refresh();
  }

  async setMode(mode: Mode): Promise<void> {
    const { page } = this;
    if (mode === page.mode || !page.modes.includes(mode)) return;
    page.mode = mode;
    this.visits.leave();
    if (page.isComparing) page.comparison.focus = page.comparison.shown[0]?.key ?? 'recipe';
    if (page.hasOpponent) {
      page.selection.joint = null;
      page.playback.time = 0;
    }
    await this.loader.enter();
    if (mode === 'edit') this.edit.enter();
    if (mode === 'shots') await this.shots.enter(page.shots.line);
  }

  look(direction: Direction): void {
    this.stage.frame(direction);
    this.output.address.changed();
  }

  setDisplay(change: Partial<PageDisplay>): void {
    this.page.display = { ...this.page.display, ...change };
    this.restyle();
  }

  setRays(rays: boolean): void {
    this.page.rays = rays && this.page.canBake;
    this.rayTool.clear();
    this.output.refresh();
  }

  setDuel(change: Partial<DuelSettings>): void {
    const { encounter } = this.page;
    const others = change.other !== undefined && change.other !== encounter.settings.other;
    encounter.settings = { ...encounter.settings, ...change };
    if (others) encounter.settings.clipB = null;
    void this.loader.reload();
    this.output.address.changed();
  }

  async apply(...changes: Change[]): Promise<void> {
    const gesture = `apply ${performance.timeOrigin + performance.now()}`;
    await this.output.ask(async () => {
      try {
        for (const change of changes) {
          const write = await this.page.source.apply(change);
          const label = `apply ${changes.map(({ key, value }) => `${key} = ${value}`).join(', ')}`;
          this.history.record({ label, gesture, write });
        }
      } finally {
        // What is written before a line that is refused stays.
        await this.loader.reload();
      }
    });
  }

  /** Casts a ray at the pointer, or selects the hitbox there. */
  private click(event: MouseEvent): void {
    if (this.page.mode === 'edit') return this.edit.click(event);
    if (!this.rayTool.isReady) return this.selecting.click(event);
    this.clip.play(false);
    void this.rayTool.click(event);
  }

  private restyle(): void {
    this.picture.style();
    this.output.refresh();
  }
}
