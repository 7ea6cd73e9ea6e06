// The bar at the top: the character, the mode and the display settings.

import type { App } from '../app/app';
import { BOX_STYLES, SURFACE_STYLES } from '../app/state';
import { choice, h, replaceKeepingFocus, segmented } from './dom';
import { switchTheme, type Keys } from './keys';

export class Header {
  readonly root = h('header');

  constructor(
    private readonly app: App,
    private readonly keys: Keys,
  ) {}

  update(): void {
    const { app } = this;
    const names = app.listing.characters.map(({ name, file }, index) => ({ value: String(index), text: `${name} (${file})` }));
    const directions = (['front', 'side', 'top', 'iso'] as const).map((direction) =>
      h('button', { type: 'button', 'data-view': direction, onclick: () => app.look(direction) }, direction),
    );
    const check = (id: string, text: string, key: string, checked: boolean, set: (checked: boolean) => void) =>
      h('label', { title: `${text} (${key})` }, h('input', { type: 'checkbox', id, checked, onchange: () => set(!checked) }), ` ${text}`);
    replaceKeepingFocus(
      this.root,
      h('b', { class: 'brand' }, 'bonebox'),
      choice('Character', names, String(app.index), (value) => void app.open(Number(value)), 'character'),
      segmented('', app.modes, app.mode, (mode) => void app.setMode(mode), (mode) => (mode === 'boxes' ? 'hitboxes' : mode)),
      segmented('boxes', BOX_STYLES, app.display.boxes, (boxes) => app.setDisplay({ boxes }), undefined, 'hitboxes'),
      segmented('mesh', app.hasServer ? SURFACE_STYLES : SURFACE_STYLES.filter((style) => style !== 'textured'), app.display.surface, (surface) => app.setDisplay({ surface })),
      check('names', 'names', 'n', app.names, (names) => app.setNames(names)),
      check('skeleton', 'skeleton', 's', app.display.skeleton, (skeleton) => app.setDisplay({ skeleton })),
      app.hasServer && check('rays', 'rays', 'r', app.rayTool.isOn, (on) => app.rayTool.toggle(on)),
      h('span', { class: 'spring' }),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'view' }, ...directions),
      h('button', { type: 'button', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: switchTheme }, '◐'),
      h('button', { type: 'button', title: 'Keys (?)', onclick: () => this.keys.toggleHelp() }, '?'),
    );
  }
}
