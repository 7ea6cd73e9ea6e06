// A comparison: the same character baked in several ways, each in a column of its own.

import type { Actor } from './actor';
import type { Options } from './source';
import type { Bake, Escape, Model } from './types';

/** What is loaded of a character. */
export interface Loaded {
  model: Model;
  bake: Bake;
  actor: Actor;
  /** `null` until they are known. */
  escapes: Escape[] | null;
}

/** One way to bake. */
export interface Column {
  key: string;
  title: string;
  help: string;
  /** Whether it is in the picture. */
  shown: boolean;
  options: Options;
  loaded: Loaded | null;
  /** Since when it is being baked, in milliseconds; `null` when it is not. */
  since: number | null;
  error: string | null;
  /** Answers to earlier questions are not taken. */
  asked: number;
}

function column(key: string, title: string, help: string, shown: boolean, options: Options): Column {
  return { key, title, help, shown, options, loaded: null, since: null, error: null, asked: 0 };
}

export function columns(): Column[] {
  return [
    column('set', 'as set', 'What the command line and bonebox.toml say', false, {}),
    column('recipe', 'recipe', 'Plain: each vertex to the joint of its largest weight, one box a joint', true, { preset: 'recipe' }),
    column('tight', 'tight', 'Two boxes a joint on average, nine tenths of what the clips do', true, { preset: 'tight' }),
    column('cover', 'cover', 'The smallest boxes that nothing leaves in any clip', true, { preset: 'cover' }),
    column('yours', 'yours', 'The options below', false, {}),
  ];
}

/** Whether a preset's bake would be the same: it says nothing that the preset does not. */
export function isPlainPreset(bake: Bake, presets: Column[]): boolean {
  const { options, boxes } = bake.bake;
  const twin = presets.find(({ key }) => key === options['preset'])?.loaded?.bake.bake;
  if (!twin) return Object.keys(options).length <= 5;
  return JSON.stringify(twin.options) === JSON.stringify(options) && JSON.stringify(twin.boxes) === JSON.stringify(boxes);
}
