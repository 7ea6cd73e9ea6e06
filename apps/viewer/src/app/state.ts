// Writes the state of the page as words of its address, and reads it back.

import type { BoxStyle, Display } from '../scene/actor';
import type { Pose } from '../scene/camera';
import type { SurfaceStyle } from '../scene/surface';
import type { Address } from './address';
import type { App, Mode } from './app';
import type { DuelSettings } from './duel';

export const BOX_STYLES: readonly BoxStyle[] = ['solid', 'wire', 'x-ray', 'off'];
export const SURFACE_STYLES: readonly SurfaceStyle[] = ['textured', 'clay', 'outside', 'ghost', 'off'];

/** The state that an address describes; `null` for parts that it does not mention. */
interface State {
  index: number;
  mode: Mode;
  clip: string | null;
  time: number;
  joint: string | null;
  hidden: string[];
  camera: Pose | null;
  display: Partial<Display>;
  names: boolean;
  shown: string[] | null;
  focus: string | null;
  duel: Partial<DuelSettings>;
}

export function writeState(app: App): Address {
  const { characters } = app.listing;
  const joints = app.bake?.bake.joints ?? [];
  const address: Address = {};
  const file = characters[app.index]?.file;
  if (file === undefined) return address;
  // Two folders may have files with the same name, so the number tells them apart.
  address['character'] = file;
  address['number'] = String(app.index);
  address['view'] = app.mode;
  if (!app.hasOpponent) address['clip'] = app.clip === null ? '' : (app.clips[app.clip] ?? '');
  if (app.mode !== 'live') address['time'] = app.time.toFixed(3);
  const { joint: selected, hidden } = app.selection;
  if (selected !== null) address['joint'] = joints[selected]?.name ?? '';
  if (hidden.size > 0) address['hidden'] = [...hidden].map((joint) => joints[joint]?.name ?? '').join('|');
  address['camera'] = app.stage.camera.pose.map((number) => Number(number.toPrecision(5))).join(',');
  address['hitboxes'] = app.display.boxes;
  address['mesh'] = app.display.surface;
  if (app.display.skeleton) address['skeleton'] = '1';
  if (app.names) address['names'] = '1';
  if (app.isComparing) {
    address['presets'] = app.comparison.shown.map(({ key }) => key).join('|');
    address['table'] = app.comparison.focus;
  }
  if (app.hasOpponent) {
    const { other, clipA, clipB, distance, turn, fps } = app.encounter.settings;
    Object.assign(address, { other: characters[other]?.file ?? '', 'clip-a': clipA ?? '', 'clip-b': clipB ?? '' });
    Object.assign(address, { distance: String(distance), turn: String(turn), fps: String(fps) });
  }
  return address;
}

export function readState(app: App, address: Address): State {
  const { characters } = app.listing;
  const numbered = Number(address['number'] ?? -1);
  const named = characters.findIndex(({ file }) => file === address['character']);
  const isThere = characters[numbered] !== undefined && characters[numbered].file === address['character'];
  const index = isThere ? numbered : Math.max(named, 0);
  const oneOf = <T extends string>(all: readonly T[], word: string | undefined) => all.find((each) => each === word);
  const list = (text: string | undefined) => (text ? text.split('|') : []);
  const camera = (address['camera'] ?? '').split(',').map(Number);
  const boxes = oneOf(BOX_STYLES, address['hitboxes']);
  const surface = oneOf(SURFACE_STYLES, address['mesh']);
  const shown = list(address['presets']).filter((key) => key !== 'yours');
  const duel: Partial<DuelSettings> = {};
  const other = characters.findIndex(({ file }) => file === address['other']);
  if (other >= 0) duel.other = other;
  if (address['clip-a'] !== undefined) duel.clipA = address['clip-a'];
  if (address['clip-b'] !== undefined) duel.clipB = address['clip-b'];
  for (const key of ['distance', 'turn', 'fps'] as const) {
    const number = Number(address[key] ?? NaN);
    if (Number.isFinite(number) && (key !== 'fps' || number > 0)) duel[key] = number;
  }
  return {
    index,
    mode: oneOf(app.modes, address['view']) ?? 'boxes',
    clip: address['clip'] ?? null,
    time: Math.max(Number(address['time'] ?? 0) || 0, 0),
    joint: address['joint'] ?? null,
    hidden: list(address['hidden']),
    camera: camera.length === 6 && camera.every(Number.isFinite) ? (camera as Pose) : null,
    display: { ...(boxes && { boxes }), ...(surface && { surface }), skeleton: address['skeleton'] === '1' },
    names: address['names'] === '1',
    shown: shown.length > 0 ? shown : null,
    focus: address['table'] && address['table'] !== 'yours' ? address['table'] : null,
    duel,
  };
}
