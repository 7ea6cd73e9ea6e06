// Attacks and states: the windows of time in which hitboxes attack, or are in a state.

import type { AttackKind, Baked, StateKind, TimeWindow } from './baked';
import type { Bake } from './types';

/** The color of each kind, in bars and hitboxes. */
export const KIND_COLORS: Record<AttackKind | StateKind, string> = {
  strike: '#ff7a00',
  grab: '#a24bff',
  throw: '#ff3fa4',
  invulnerable: '#00a5e0',
  guard: '#2da44e',
  armor: '#7d8ba1',
  grabbable: '#b58900',
};

/** An attack or a state of a clip: a row of the timeline. */
export interface WindowRow {
  /** The attack by its name, or the state by its number among those of the clip. */
  entry: { attack: string } | { state: number };
  /** A key that tells the rows of a clip apart. */
  key: string;
  name: string;
  kind: AttackKind | StateKind;
  /** The hitboxes, as indices into `Baked.boxes`. */
  boxes: number[];
  active: TimeWindow[];
}

/** Returns the attacks of a clip, then its states. */
export function windowRows(bake: Bake | null, clip: string): WindowRow[] {
  const { attacks = [], states = [] }: Partial<Baked> = bake?.bake ?? {};
  const ofClip = <T extends { clip: string }>(all: T[]) => all.filter((each) => each.clip === clip);
  return [
    ...ofClip(attacks).map(({ name, kind, boxes, active }) => ({ entry: { attack: name }, key: `attack ${name}`, name, kind, boxes, active })),
    ...ofClip(states).map(({ kind, boxes, active }, state) => ({ entry: { state }, key: `state ${state}`, name: kind, kind, boxes, active })),
  ];
}

/** Returns the kind of what each hitbox does at a time in seconds of the clip. Attacks come before states. */
export function activeBoxes(rows: WindowRow[], seconds: number): Map<number, WindowRow['kind']> {
  const found = new Map<number, WindowRow['kind']>();
  for (const { kind, boxes, active } of rows) {
    if (!active.some(([from, to]) => from <= seconds + ROUNDED && seconds <= to + ROUNDED)) continue;
    for (const box of boxes) if (!found.has(box)) found.set(box, kind);
  }
  return found;
}

/** The rounding of times, in seconds. */
const ROUNDED = 1e-4;

/** The part of a window that is dragged. */
export type Grip = 'from' | 'to' | 'whole';

/** The times that a window may have: those of the clip, and its frames to snap to (`null` for none), in seconds. */
export interface WindowRange {
  start: number;
  end: number;
  frame: number | null;
}

/** Returns the window after a drag by some seconds. It stays within the clip, and ends after it begins. */
export function dragged([from, to]: TimeWindow, grip: Grip, by: number, { start, end, frame }: WindowRange): TimeWindow {
  const snapped = (time: number) => (frame === null ? time : start + Math.round((time - start) / frame) * frame);
  const within = (time: number, least: number, most: number) => Math.min(Math.max(snapped(time), least), most);
  if (grip === 'from') return rounded(within(from + by, start, to), to);
  if (grip === 'to') return rounded(from, within(to + by, from, end));
  const moved = within(from + by, start, end - (to - from));
  return rounded(moved, moved + (to - from));
}

/** Times are written with four digits. */
function rounded(...window: TimeWindow): TimeWindow {
  return window.map((time) => Number(time.toFixed(4))) as TimeWindow;
}
