// Loads what the page shows, and shows it: a character, its opponent, their duel.

import type { Actor } from '../scene/actor';
import type { Encounter } from '../state/encounter';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import type { ColumnBakes } from './columnBakes';
import { bakeAhead, follow, loadDuel, loadOpponent, setDefaults } from './opponent';
import type { Output } from './output';
import type { Picture } from './picture';
import type { SharedTool } from './sharedTool';
import type { Visits } from './visits';

export class Loader {
  /** The number of loads; the page drops all answers except those to the last load. */
  private generation = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly visits: Visits,
    private readonly columnBakes: ColumnBakes,
    private readonly sharedTool: SharedTool,
  ) {}

  /** Shows another character with its first clip. Calls `prepare` when the character is loaded, before it is shown. */
  async open(index: number, prepare: () => void = () => {}): Promise<void> {
    const { page, output } = this;
    page.index = index;
    page.visited = null;
    page.selection.clear();
    page.editor.clear();
    page.encounter.end();
    Object.assign(page.playback, { clip: null, time: 0, playing: false });
    output.stage.setViews([]);
    page.shared.clear();
    page.cast.clear();
    page.comparison.clear();
    document.title = `${page.name} · bonebox`;
    output.refresh();
    const generation = this.generation + 1;
    await this.reload(() => {
      page.playback.clip = page.clips.length > 0 ? 0 : null;
      prepare();
    });
    if (generation === this.generation && !page.hasOpponent) output.stage.frame('iso');
  }

  /** Shows the mode at once with what is loaded, and loads the rest. */
  async enter(): Promise<void> {
    const { page, output } = this;
    page.encounter.end();
    if (page.hasOpponent) setDefaults(page);
    else this.generation++;
    if (page.mode === 'live') page.playback.playing = false;
    output.screen.say('', '');
    if (page.mode === 'shared') this.sharedTool.take();
    this.picture.arrange();
    output.stage.frame(page.hasOpponent ? 'side' : 'iso');
    output.refresh();
    if (page.isComparing) await this.columnBakes.bake();
    if (page.mode === 'shared') await this.sharedTool.load();
    if (!page.hasOpponent) return;
    const generation = this.generation + 1;
    await this.reload();
    if (generation === this.generation) output.stage.frame('side');
  }

  /** Reads the shown data from the server again. The old picture stays until the new data have arrived. */
  async reload(prepare: () => void = () => {}): Promise<void> {
    const generation = ++this.generation;
    const { page, output } = this;
    const { cast, encounter, playback } = page;
    output.screen.say('progress', `Baking ${page.name}…`);
    await output.ask(async () => {
      try {
        const first = await page.library.load(page.index, {}, { present: cast.first, early: (actor) => this.showEarly(actor, generation) });
        const opponent = page.hasOpponent ? await loadOpponent(page, first) : cast.opponent;
        const duel = page.mode === 'duel' ? await loadDuel(page) : null;
        if (generation !== this.generation) return cast.discard(first, opponent);
        const isNew = cast.first === null;
        cast.replace(first, opponent);
        encounter.duel = duel;
        encounter.skinProblem = null;
        if (isNew) {
          page.windowEdits.dropStale(page.index, first.bake);
          prepare();
        }
        // Other settings, or another character, may share no hitboxes.
        if (!page.modes.includes(page.mode)) {
          page.mode = 'boxes';
          page.shared.clear();
        }
        output.screen.say('', '');
        void this.visits.learn(first, {}).then(() => isNew && bakeAhead(page));
        void this.dress(page.index, first);
        if (opponent && page.hasOpponent) void this.dress(encounter.settings.other, opponent);
      } catch (error) {
        if (generation !== this.generation) return;
        output.fail(error);
      }
      if (playback.clip !== null && playback.clip >= page.clips.length) playback.clip = null;
      if (page.mode === 'live' && cast.opponent) this.follow();
      this.picture.arrange();
      output.refresh();
    });
    if (generation !== this.generation) return;
    if (encounter.duel) void this.testSkins(generation);
    if (page.isComparing && page.first) await this.columnBakes.bake();
    if (page.mode === 'shared') await this.sharedTool.load();
  }

  /** Asks which skins touch in the duel. The hitboxes that touch are already in the picture. */
  private async testSkins(generation: number): Promise<void> {
    const { page, output } = this;
    const { encounter } = page;
    const show = (change: Partial<Encounter>) => {
      if (generation !== this.generation) return;
      Object.assign(encounter, change);
      this.picture.pose();
      output.refresh();
    };
    await output.ask(
      async () => show({ duel: await loadDuel(page, true) }),
      (error) => show({ skinProblem: error.message }),
    );
  }

  private follow(): void {
    const { page, output } = this;
    const begun = (isFirst: boolean) => {
      this.picture.arrange();
      if (isFirst) output.stage.frame('side');
      output.refresh();
    };
    follow(page, begun, (error) => output.fail(error));
  }

  /** Shows the character before its hitboxes are baked. */
  private showEarly(actor: Actor, generation: number): void {
    if (generation !== this.generation) return;
    const { page, output } = this;
    actor.show(page.display);
    output.stage.setViews([{ title: '', actors: [actor] }]);
    page.cast.early = actor;
    output.stage.frame('iso');
  }

  private async dress(id: number, { model }: Loaded): Promise<void> {
    await this.output.ask(() => this.page.library.dress(id, model));
    this.output.stage.invalidate();
  }
}
