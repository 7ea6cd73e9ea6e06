// The actions of keys, and the list of keys.

import type { App } from '../app/app';
import { BOX_STYLES, SURFACE_STYLES } from '../app/state';
import { h } from './dom';

interface Binding {
  /** The keys by the names that browsers use, with their actions. */
  keys: Record<string, (app: App) => void>;
  /** The keys as the list shows them. */
  shown: string;
  text: string;
}

/** The time between two steps of the arrow keys outside duels, in seconds. */
const STEP = 1 / 30;

function after<T>(all: readonly T[], now: T): T {
  return all[(all.indexOf(now) + 1) % all.length]!;
}

function step(app: App, direction: number): void {
  app.seek(app.time + direction * (app.encounter.duel ? 1 / app.encounter.settings.fps : STEP));
}

/** The materials come from the server, so a report has none. */
function surfaces(app: App): typeof SURFACE_STYLES {
  return app.hasServer ? SURFACE_STYLES : SURFACE_STYLES.filter((style) => style !== 'textured');
}

const BINDINGS: Binding[] = [
  { keys: { ' ': (app) => app.play() }, shown: 'space', text: 'Play or pause' },
  { keys: { ArrowLeft: (app) => step(app, -1), ArrowRight: (app) => step(app, 1) }, shown: '← →', text: 'One tick back or forward' },
  { keys: { Home: (app) => app.seek(0), End: (app) => app.seek(app.seconds) }, shown: 'Home End', text: 'First or last moment' },
  { keys: { e: (app) => app.visits.next(1), E: (app) => app.visits.next(-1) }, shown: 'e E', text: 'Next or previous of the worst escapes' },
  {
    keys: { x: (app) => void app.setMode('boxes'), c: (app) => void app.setMode('compare'), d: (app) => void app.setMode('duel'), l: (app) => void app.setMode('live') },
    shown: 'x c d l',
    text: 'Hitboxes, compare, duel, live',
  },
  { keys: { f: (app) => app.frameSelection() }, shown: 'f', text: 'Move the camera to the selected joint, or to everything' },
  { keys: { h: (app) => app.hide() }, shown: 'h', text: 'Hide the selected joint\u2019s hitboxes or show them again; without a selection, show all' },
  { keys: { i: (app) => app.isolate() }, shown: 'i', text: 'Show only the selected joint\u2019s hitboxes, or all again' },
  { keys: { '/': () => document.getElementById('search')?.focus() }, shown: '/', text: 'Search for a joint or a tag' },
  { keys: { b: (app) => app.setDisplay({ boxes: after(BOX_STYLES, app.display.boxes) }) }, shown: 'b', text: 'Hitboxes: solid, wire, x-ray, off' },
  {
    keys: { m: (app) => app.setDisplay({ surface: after(surfaces(app), app.display.surface) }) },
    shown: 'm',
    text: 'Mesh: textured; clay; outside (skin in no hitbox is red); ghost; off',
  },
  { keys: { s: (app) => app.setDisplay({ skeleton: !app.display.skeleton }) }, shown: 's', text: 'Skeleton' },
  { keys: { n: (app) => app.setNames(!app.names) }, shown: 'n', text: 'Names of joints' },
  { keys: { r: (app) => app.rayTool.toggle() }, shown: 'r', text: 'Rays: a click shows the triangle of the skin under the pointer' },
  {
    keys: { '1': (app) => app.look('front'), '2': (app) => app.look('side'), '3': (app) => app.look('top'), '4': (app) => app.look('iso') },
    shown: '1 2 3 4',
    text: 'Look from the front, the side, above, or at an angle',
  },
  { keys: { t: () => switchTheme() }, shown: 't', text: 'Dark or light' },
  { keys: { Escape: (app) => app.select(null) }, shown: 'Esc', text: 'Clear the selection' },
];

const POINTER: [string, string][] = [
  ['click', 'Select a hitbox, or cast a ray if rays are on'],
  ['drag, wheel, right drag', 'Turn, zoom or shift the view'],
];

export class Keys {
  private readonly help = h('dialog', { class: 'help', 'aria-label': 'Keys' });

  constructor(private readonly app: App) {
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

  private press(event: KeyboardEvent): void {
    if (this.help.open) {
      if (event.key === '?') this.toggleHelp();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target as HTMLElement, event.key)) return;
    const action = event.key === '?' ? () => this.toggleHelp() : BINDINGS.find(({ keys }) => event.key in keys)?.keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(this.app);
  }
}

export function switchTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

/** Returns whether the focused element uses the key itself: text fields, choices, and buttons for the space bar. */
function takesKey(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type === 'checkbox' ? key === ' ' : target.type !== 'range';
  }
  return target.tagName === 'SELECT' || (target.tagName === 'BUTTON' && key === ' ');
}
