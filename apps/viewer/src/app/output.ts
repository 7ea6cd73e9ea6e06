// Brings the state of the page to the picture, the panels and the address. Counts running work, and says what went wrong.

import { Refused } from '../data/source';
import type { Screen } from '../panel/screen';
import type { Stage } from '../scene/stage';
import type { Page } from '../state/page';
import { AddressWriter, writeState } from './address';

export class Output {
  readonly address: AddressWriter;

  constructor(
    private readonly page: Page,
    readonly stage: Stage,
    readonly screen: Screen,
  ) {
    this.address = new AddressWriter(() => writeState(page, stage.camera.pose));
    stage.camera.onMoved = () => this.address.changed();
  }

  /** Call this after any change of the state. */
  refresh(): void {
    this.screen.update();
    this.stage.invalidate();
    this.address.changed();
  }

  /** Call this after a change of the time alone. */
  refreshTime(): void {
    this.screen.updateTime();
    this.address.changed();
  }

  /** Counts running work, and calls `refused` if the server refuses it. */
  async ask(work: () => Promise<void>, refused: (error: Refused) => void = (error) => this.fail(error)): Promise<void> {
    this.page.asked++;
    try {
      await work();
    } catch (error) {
      if (error instanceof Refused) refused(error);
      else this.fail(error);
    } finally {
      this.page.asked--;
    }
  }

  fail(error: unknown): void {
    if (!(error instanceof Refused)) {
      console.error(error);
      return this.screen.say('error', `The page has an error: ${String(error)}. Reload it; if the error returns, please report it.`);
    }
    const { first, name } = this.page;
    const stays = first ? '\n\nThe page shows the last good hitboxes. Save the file again to bake it again.' : '';
    this.screen.say('error', `${name ? `${name} cannot be shown` : 'Nothing can be shown'}\n${error.message}${stays}`);
  }
}
