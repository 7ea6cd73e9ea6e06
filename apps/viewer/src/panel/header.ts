// The bar at the top, with the character and the mode, and the bar above the picture, with the display settings.

import { choice, h, replaceKeepingFocus, segmented } from '../dom';
import { BOX_STYLES } from '../scene/actor';
import { DIRECTIONS } from '../scene/camera';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import type { Keys } from './keys';
import { switchTheme } from './theme';

export class Header {
  readonly root = h('header');
  /** The display settings, above the picture. */
  readonly display = h('div', { class: 'display-bar', role: 'toolbar', 'aria-label': 'Display' });

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
    private readonly keys: Keys,
  ) {}

  update(): void {
    const { page, actions } = this;
    const names = page.listing.characters.map(({ name, file }, index) => ({ value: String(index), text: `${name} (${file})` }));
    const directions = DIRECTIONS.map((direction) => h('button', { type: 'button', 'data-view': direction, onclick: () => actions.look(direction) }, direction));
    const check = (id: string, text: string, key: string, checked: boolean, set: (checked: boolean) => void) =>
      h('label', { title: `${text} (${key})` }, h('input', { type: 'checkbox', id, checked, onchange: () => set(!checked) }), ` ${text}`);
    replaceKeepingFocus(
      this.root,
      h('b', { class: 'brand' }, 'bonebox'),
      choice('Character', names, String(page.index), (value) => actions.loader.open(Number(value)), 'character'),
      segmented('', page.modes, page.mode, (mode) => actions.setMode(mode), (mode) => (mode === 'boxes' ? 'hitboxes' : mode)),
      h('span', { class: 'spring' }),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'view' }, ...directions),
      h('button', { type: 'button', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: switchTheme }, '◐'),
      h('button', { type: 'button', title: 'Keys (?)', onclick: () => this.keys.toggleHelp() }, '?'),
    );
    replaceKeepingFocus(
      this.display,
      segmented('boxes', BOX_STYLES, page.display.boxes, (boxes) => actions.setDisplay({ boxes }), undefined, 'hitboxes'),
      segmented('mesh', page.surfaces, page.surface, (surface) => actions.setDisplay({ surface })),
      check('names', 'names', 'n', page.display.names, (names) => actions.setDisplay({ names })),
      check('skeleton', 'skeleton', 's', page.display.skeleton, (skeleton) => actions.setDisplay({ skeleton })),
      page.hasRagdoll && check('ragdoll', 'ragdoll', 'g', page.display.ragdoll, (ragdoll) => actions.setDisplay({ ragdoll })),
      page.canBake && check('rays', 'rays', 'r', page.rays, (rays) => actions.setRays(rays)),
    );
  }
}
