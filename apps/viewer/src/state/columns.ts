// A comparison: the same character baked in several ways, each in a column of its own.

import type { Options } from '../data/source';
import type { Bake } from '../data/types';
import { percent } from '../data/units';
import type { Actor } from '../scene/actor';
import type { View } from '../scene/labels';
import type { Loaded } from './library';

/** The wait after which the page shows a message, in milliseconds. */
const PATIENCE = 250;

/** One way to bake. */
export interface Column {
  key: string;
  title: string;
  help: string;
  /** True if the column is in the picture. */
  shown: boolean;
  options: Options;
  loaded: Loaded | null;
  /** The character without hitboxes, which is shown until the hitboxes are baked. */
  blank: Actor | null;
  /** The time at which the wait for the column's bake began, in milliseconds; `null` if the page does not wait. */
  since: number | null;
  error: string | null;
  /** The number of requested bakes. The page drops all answers except that to the last request. */
  asked: number;
}

function column(key: string, title: string, help: string, shown: boolean, options: Options): Column {
  return { key, title, help, shown, options, loaded: null, blank: null, since: null, error: null, asked: 0 };
}

export function columns(): Column[] {
  return [
    column('set', 'as set', 'The options of the command line and of bonebox.toml', false, {}),
    column('recipe', 'recipe', 'Each vertex belongs to the joint with its largest weight; one hitbox for each joint', true, { preset: 'recipe' }),
    column('tight', 'tight', 'Two hitboxes for each joint on average, which hold nine tenths of the motion in the clips', true, { preset: 'tight' }),
    column('cover', 'cover', 'The smallest hitboxes that hold the skin in every clip', true, { preset: 'cover' }),
    column('yours', 'yours', 'The options below', false, {}),
  ];
}

/** Returns whether the bake equals the bake of a preset, so that it needs no column of its own. */
export function isPlainPreset(bake: Bake, presets: Column[]): boolean {
  const { options, boxes } = bake.bake;
  const twin = presets.find(({ key }) => key === options['preset'])?.loaded?.bake.bake;
  if (!twin) return Object.keys(options).length <= 5;
  return JSON.stringify(twin.options) === JSON.stringify(options) && JSON.stringify(twin.boxes) === JSON.stringify(boxes);
}

/** The options in words. */
export function describe(options: Options): string {
  const words = Object.entries(options).map(([key, value]) => `${key} = ${value}`);
  return words.join(', ') || 'yours';
}

/** A column's part of the picture. */
export function viewOf({ title, loaded, blank, since, error }: Column): View {
  const actor = loaded?.actor ?? blank;
  const actors = actor ? [actor] : [];
  if (error !== null) return { title, note: error, actors };
  const waited = since === null ? 0 : performance.now() - since;
  if (since !== null && (!loaded || waited > PATIENCE)) {
    return { title, note: `baking… ${(waited / 1000).toFixed(0)} s`, waiting: true, actors };
  }
  const coverage = loaded?.bake.bake.coverage;
  const boxes = `${loaded?.bake.bake.boxes.length ?? 0} hitboxes`;
  return { title, note: coverage ? `${boxes} · ${percent(coverage.surface_clips)} coverage` : boxes, actors };
}
