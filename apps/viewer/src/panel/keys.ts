// The actions of keys, and the list of keys.

import { h, isBeingTyped } from '../dom';
import { BOX_STYLES } from '../scene/actor';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { switchTheme } from './theme';

interface Binding {
  /** The keys by the names that browsers use, with their actions. */
  keys: Record<string, (actions: Actions, page: Page) => void>;
  /** Says when the keys have these actions; always, if it is missing. */
  isFor?: (page: Page) => boolean;
  /** The keys as the list shows them. */
  shown: string;
  text: string;
}

/** The time between two steps of the arrow keys outside duels, in seconds. */
const STEP = 1 / 30;

function after<T>(all: readonly T[], now: T): T {
  return all[(all.indexOf(now) + 1) % all.length]!;
}

function step(actions: Actions, { time, encounter }: Page, direction: number): void {
  actions.clip.seek(time + direction * (encounter.duel ? 1 / encounter.settings.fps : STEP));
}

const BINDINGS: Binding[] = [
  { keys: { ' ': (actions) => actions.clip.play() }, shown: 'space', text: 'Play or pause' },
  { keys: { ArrowLeft: (actions, page) => step(actions, page, -1), ArrowRight: (actions, page) => step(actions, page, 1) }, shown: '← →', text: 'One tick back or forward' },
  { keys: { Home: (actions) => actions.clip.seek(0), End: (actions, page) => actions.clip.seek(page.seconds) }, shown: 'Home End', text: 'First or last moment' },
  { keys: { e: (actions) => actions.visits.next(1), E: (actions) => actions.visits.next(-1) }, shown: 'e E', text: 'Next or previous of the worst escapes' },
  {
    keys: { x: (actions) => actions.setMode('boxes'), v: (actions) => actions.setMode('edit'), c: (actions) => actions.setMode('compare'), d: (actions) => actions.setMode('duel'), l: (actions) => actions.setMode('live') },
    shown: 'x v c d l',
    text: 'Hitboxes, edit, compare, duel, live',
  },
  {
    keys: { w: (actions) => actions.edit.use('move'), q: (actions) => actions.edit.use('turn'), a: (actions) => actions.edit.use('scale') },
    isFor: ({ mode }) => mode === 'edit',
    shown: 'w q a',
    text: 'In edit: the handles move, turn, scale',
  },
  {
    keys: { Delete: (actions) => actions.edit.remove(), D: (actions) => actions.edit.duplicate() },
    isFor: ({ mode }) => mode === 'edit',
    shown: 'Del D',
    text: 'In edit: delete or duplicate the selected hitboxes',
  },
  { keys: {}, shown: 'Ctrl Z, Ctrl Shift Z', text: 'Undo, or redo' },
  { keys: { f: (actions) => actions.selecting.frame() }, shown: 'f', text: 'Move the camera to the selected joint, or to everything' },
  { keys: { h: (actions) => actions.selecting.hide() }, shown: 'h', text: 'Hide the selected joint\u2019s hitboxes or show them again; without a selection, show all' },
  { keys: { i: (actions) => actions.selecting.isolate() }, shown: 'i', text: 'Show only the selected joint\u2019s hitboxes, or all again' },
  { keys: { '/': () => document.getElementById('search')?.focus() }, shown: '/', text: 'Search for a joint or a tag' },
  { keys: { b: (actions, page) => actions.setDisplay({ boxes: after(BOX_STYLES, page.display.boxes) }) }, shown: 'b', text: 'Hitboxes: solid, wire, x-ray, off' },
  {
    keys: { m: (actions, page) => actions.setDisplay({ surface: after(page.surfaces, page.surface) }) },
    shown: 'm',
    text: 'Mesh: textured; clay; outside (skin in no hitbox is red); ghost; off',
  },
  { keys: { s: (actions, page) => actions.setDisplay({ skeleton: !page.display.skeleton }) }, shown: 's', text: 'Skeleton' },
  { keys: { n: (actions, page) => actions.setDisplay({ names: !page.display.names }) }, shown: 'n', text: 'Names of joints' },
  {
    keys: { g: (actions, page) => actions.setDisplay({ ragdoll: !page.display.ragdoll }), G: (actions) => actions.falls.toggle() },
    shown: 'g G',
    text: 'Ragdoll: how far its joints turn; let it fall, or back to the clip',
  },
  { keys: { r: (actions, page) => actions.setRays(!page.rays) }, shown: 'r', text: 'Rays: a click shows the triangle of the skin under the pointer' },
  {
    keys: { '1': (actions) => actions.look('front'), '2': (actions) => actions.look('side'), '3': (actions) => actions.look('top'), '4': (actions) => actions.look('iso') },
    shown: '1 2 3 4',
    text: 'Look from the front, the side, above, or at an angle',
  },
  { keys: { t: () => switchTheme() }, shown: 't', text: 'Dark or light' },
  { keys: { Escape: (actions, page) => (page.mode === 'edit' ? actions.edit.select(null) : actions.selecting.select(null)) }, shown: 'Esc', text: 'Clear the selection' },
];

const POINTER: [string, string][] = [
  ['click', 'Select a hitbox, or cast a ray if rays are on'],
  ['Shift click', 'In edit: select several hitboxes'],
  ['drag, wheel, right drag', 'Turn, zoom or shift the view'],
];

export class Keys {
  private readonly help = h('dialog', { class: 'help', 'aria-label': 'Keys' });

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {
    const rows = [...BINDINGS.map(({ shown, text }) => [shown, text] as const), ...POINTER].map(([key, text]) =>
      h('tr', {}, h('th', {}, key), h('td', {}, text)),
    );
    this.help.append(h('table', {}, ...rows), h('button', { type: 'button', onclick: () => this.help.close() }, 'Close'));
    document.body.append(this.help);
    window.addEventListener('keydown', (event) => this.press(event));
  }

  toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }

  /** Ctrl Z undoes, and Ctrl Shift Z or Ctrl Y redoes. A text field that is being typed in has an undo of its own. */
  private undo({ ctrlKey, metaKey, shiftKey, key, target }: KeyboardEvent): boolean {
    const word = key.toLowerCase();
    if (!(ctrlKey || metaKey) || (word !== 'z' && word !== 'y') || isBeingTyped(target)) return false;
    if (word === 'y' || shiftKey) this.actions.history.redo();
    else this.actions.history.undo();
    return true;
  }

  private press(event: KeyboardEvent): void {
    if (this.help.open) {
      if (event.key === '?') this.toggleHelp();
      return;
    }
    if (this.undo(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target as HTMLElement, event.key)) return;
    const action = event.key === '?' ? () => this.toggleHelp() : BINDINGS.find(({ keys, isFor }) => event.key in keys && (isFor?.(this.page) ?? true))?.keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(this.actions, this.page);
  }
}

/** Returns whether the focused element uses the key itself: text fields, choices, and buttons for the space bar. */
function takesKey(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type === 'checkbox' ? key === ' ' : target.type !== 'range';
  }
  return target.tagName === 'SELECT' || (target.tagName === 'BUTTON' && key === ' ');
}
