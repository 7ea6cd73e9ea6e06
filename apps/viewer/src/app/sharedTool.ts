// Loads the characters that share their hitboxes, and shows them or hides them.

import type { Page } from '../state/page';
import type { Layout, Member } from '../state/sharedSet';
import type { Output } from './output';
import type { Picture } from './picture';

export class SharedTool {
  /** The number of loads; the page drops all answers except those to the last load. */
  private asked = 0;

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
  ) {}

  /** Takes the characters of the set of the character on the page. */
  take(): void {
    const { shared, index, listing } = this.page;
    shared.take(index, (index) => listing.characters[index]?.name ?? '');
  }

  /** Loads all characters of the set. Loaded parts of the same files are kept. */
  async load(): Promise<void> {
    const asked = ++this.asked;
    const { page } = this;
    this.take();
    this.arrange();
    const others = page.shared.members.filter(({ index }) => index !== page.index);
    await Promise.all(others.map((member) => this.loadMember(member, asked)));
  }

  /** Shows a character or hides it; the last character stays. */
  show(index: number): void {
    this.page.shared.toggle(index);
    this.arrange();
    this.output.stage.frame('iso');
  }

  setLayout(layout: Layout): void {
    this.page.shared.layout = layout;
    this.arrange();
    this.output.stage.frame('iso');
  }

  private async loadMember(member: Member, asked: number): Promise<void> {
    const { page, output } = this;
    const { library } = page;
    const work = async () => {
      const loaded = await library.load(member.index, {}, { present: member.loaded });
      const old = member.loaded?.actor;
      if (asked !== this.asked) {
        if (loaded.actor !== old) library.drop(loaded.actor);
        return;
      }
      if (loaded.actor !== old) library.drop(old);
      Object.assign(member, { loaded, error: null });
      void output.ask(() => library.dress(member.index, loaded.model)).then(() => output.stage.invalidate());
      this.arrange();
      if (old === undefined) output.stage.frame('iso');
    };
    await output.ask(work, ({ message }) => {
      if (asked !== this.asked) return;
      member.error = message;
      this.arrange();
    });
  }

  private arrange(): void {
    if (this.page.mode === 'shared') this.picture.arrange();
    this.output.refresh();
  }
}
