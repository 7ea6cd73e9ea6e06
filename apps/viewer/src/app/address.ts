// Keeps the state of the page in its address, so that a reload or a link shows the same.

import { BOX_STYLES } from '../scene/actor';
import type { Pose } from '../scene/camera';
import { SURFACE_STYLES } from '../scene/surface';
import type { DuelSettings } from '../state/encounter';
import { MODES, type Page } from '../state/page';
import { LAYOUTS } from '../state/sharedSet';

/** The pairs of words after the `#` of the address. A key that is missing has its default. */
export type Address = Record<string, string>;

/** Least time between two changes of the address, in milliseconds: browsers allow a hundred changes in thirty seconds. */
const PAUSE = 350;

export function readAddress(): Address {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export class AddressWriter {
  private isWaiting = false;

  /** `current` returns the address of the present state; `null` keeps the address that is there. */
  constructor(private readonly current: () => Address | null) {}

  /** Writes the state to the address soon; call this after a change. */
  changed(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => this.write(), PAUSE);
  }

  private write(): void {
    this.isWaiting = false;
    const address = this.current();
    if (address) history.replaceState(null, '', `#${new URLSearchParams(address)}`);
  }
}

/** Returns the address of the page's state; `null` until the list of characters is there. */
export function writeState(page: Page, camera: Pose): Address | null {
  const { characters } = page.listing;
  const joints = page.bake?.bake.joints ?? [];
  const file = characters[page.index]?.file;
  if (file === undefined) return null;
  // Two folders may have files with the same name, so the number tells them apart.
  const address: Address = { character: file };
  address['number'] = String(page.index);
  address['view'] = page.mode;
  if (!page.hasOpponent) address['clip'] = page.clipName;
  if (page.mode === 'shots' && page.shots.line !== null) address['shot'] = String(page.shots.line);
  if (page.mode !== 'live') address['time'] = page.time.toFixed(3);
  const { joint: selected, hidden } = page.selection;
  if (selected !== null) address['joint'] = joints[selected]?.name ?? '';
  if (hidden.size > 0) address['hidden'] = [...hidden].map((joint) => joints[joint]?.name ?? '').join('|');
  address['camera'] = camera.map((number) => Number(number.toPrecision(5))).join(',');
  address['hitboxes'] = page.display.boxes;
  address['mesh'] = page.display.surface;
  if (page.display.skeleton) address['skeleton'] = '1';
  if (page.display.ragdoll) address['ragdoll'] = '1';
  if (page.display.names) address['names'] = '1';
  if (page.isComparing) {
    address['presets'] = page.comparison.shown.map(({ key }) => key).join('|');
    address['table'] = page.comparison.focus;
  }
  const { options } = page.comparison.column('yours')!;
  if (Object.keys(options).length > 0) address['yours'] = new URLSearchParams(options).toString();
  if (page.mode === 'shared') {
    const { layout, members, shown } = page.shared;
    address['skins'] = layout;
    address['without'] = members.filter((member) => !shown.includes(member)).map(({ index }) => characters[index]?.file ?? '').join('|');
  }
  if (page.hasOpponent) {
    const { other, clipA, clipB, distance, turn, fps } = page.encounter.settings;
    Object.assign(address, { other: characters[other]?.file ?? '', 'clip-a': clipA ?? '', 'clip-b': clipB ?? '' });
    Object.assign(address, { distance: String(distance), turn: String(turn), fps: String(fps) });
  }
  return address;
}

/** Returns the state that an address describes; `null` for parts that it does not mention. */
export function readState(page: Page, address: Address) {
  const { characters } = page.listing;
  const numbered = Number(address['number'] ?? -1);
  const named = characters.findIndex(({ file }) => file === address['character']);
  const isThere = characters[numbered] !== undefined && characters[numbered].file === address['character'];
  const index = isThere ? numbered : Math.max(named, 0);
  const oneOf = <T extends string>(all: readonly T[], word: string | undefined) => all.find((each) => each === word);
  const list = (text: string | undefined) => (text ? text.split('|') : []);
  const camera = (address['camera'] ?? '').split(',').map(Number);
  const boxes = oneOf(BOX_STYLES, address['hitboxes']);
  const surface = oneOf(SURFACE_STYLES, address['mesh']);
  // A report without the baker cannot bake with the user's own options.
  const own = page.canBake ? Object.fromEntries(new URLSearchParams(address['yours'] ?? '')) : {};
  const isColumn = (key: string) => key !== 'yours' || Object.keys(own).length > 0;
  const shown = list(address['presets']).filter(isColumn);
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
    mode: oneOf(MODES, address['view']) ?? 'boxes',
    layout: oneOf(LAYOUTS, address['skins']) ?? null,
    absent: characters.flatMap(({ file }, index) => (list(address['without']).includes(file) ? [index] : [])),
    clip: address['clip'] ?? null,
    time: Math.max(Number(address['time'] ?? 0) || 0, 0),
    shot: Number(address['shot'] ?? NaN) || null,
    joint: address['joint'] ?? null,
    hidden: list(address['hidden']),
    camera: camera.length === 6 && camera.every(Number.isFinite) ? (camera as Pose) : null,
    display: { ...(boxes && { boxes }), ...(surface && { surface }), skeleton: address['skeleton'] === '1', ragdoll: address['ragdoll'] === '1', names: address['names'] === '1' },
    shown: shown.length > 0 ? shown : null,
    focus: address['table'] && isColumn(address['table']) ? address['table'] : null,
    own,
    duel,
  };
}
