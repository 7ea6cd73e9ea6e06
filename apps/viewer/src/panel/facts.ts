// The figures of a bake, its warnings, and the limits that it breaks.

import { hasPosedBoxes, type Baked } from '../data/baked';
import type { Bake, SharedFigures } from '../data/types';
import { percent, volume } from '../data/units';
import { factList, h } from '../dom';

/** Returns the share of the volume of all hitboxes together that their hulls fill. */
function totalFill({ boxes }: Baked): number {
  const sum = (of: (box: Baked['boxes'][number]) => number) => boxes.reduce((sum, box) => sum + of(box), 0);
  return sum((box) => box.hull_volume) / (sum((box) => box.volume) || 1);
}

/** Codes of warnings about parts of the file that have no hitboxes and do not count for the coverage. */
const LEFT_OUT: ReadonlySet<string> = new Set(['left-out-meshes', 'unskinned-primitive']);

/** Writes the largest escape in percent of the height, or a lower bound of it. */
export function escapeOf({ max_escape, every_sample_time }: NonNullable<Baked['coverage']>): string {
  return every_sample_time === false ? `at least ${percent(max_escape)}` : percent(max_escape);
}

/** Names the characters of a set that are not on the page; `null` if all are. */
export function absentOf({ absent }: SharedFigures): string | null {
  return absent.length > 0 ? `Not on the page: ${absent.join(', ')}. A page of their folder shows all characters of the set.` : null;
}

/** Lists the figures. `clay` is the reason why the character's own materials are not shown, if they are not. */
export function facts(shown: Bake, live: boolean, clay: string | null): HTMLElement {
  const { bake, volume: total, settings } = shown;
  const entries: [string, string][] = [
    ['hitboxes', `${bake.boxes.length} for ${bake.joints.length} joints`],
    ['volume', `${volume(total)}, of which the body fills ${(100 * totalFill(bake)).toFixed(0)} %`],
  ];
  if (hasPosedBoxes(shown)) {
    entries.push(['drawn', 'the boxes for the bind pose; the game computes other boxes for each pose, so no skin is painted red']);
  }
  const { coverage } = bake;
  if (coverage) {
    const inClips = (share: number) => (bake.clips.length > 0 ? `, ${percent(share)} in clips` : '');
    entries.push(['coverage', `${percent(coverage.surface_rest)} at rest${inClips(coverage.surface_clips)}`]);
    if (coverage.own_rest !== undefined && coverage.own_clips !== undefined) {
      entries.push(['by own joint', `${percent(coverage.own_rest)} at rest${inClips(coverage.own_clips)}`]);
    }
    entries.push(['worst escape', `${escapeOf(coverage)} of the height`]);
  }
  const { shared } = shown;
  // With other characters of the set on the page, the mode *shared* has the rest.
  if (shared && shared.members.length < 2) entries.push(['shared', `the hitboxes of the set "${shared.set}". ${absentOf(shared) ?? ''}`]);
  for (const { text } of bake.warnings.filter(({ code }) => LEFT_OUT.has(code))) entries.push(['left out', text]);
  const words = Object.entries(bake.options).filter(([key]) => key !== 'overrides');
  entries.push(['options', words.map(([key, value]) => `${key} = ${value}`).join(', ')]);
  if (live) entries.push(['settings', settings ?? 'none; save a bonebox.toml beside the file or in a folder above it']);
  if (clay) entries.push(['materials', clay]);
  return factList(entries);
}

export function warnings({ warnings }: Baked): Node[] {
  const items = warnings.filter(({ code }) => !LEFT_OUT.has(code)).map(({ code, text }) => h('li', {}, h('code', {}, code), ` ${text}`));
  if (items.length === 0) return [];
  const word = items.length === 1 ? 'warning' : 'warnings';
  return [h('details', { class: 'warnings' }, h('summary', {}, `${items.length} ${word}`), h('ul', {}, ...items))];
}

/** Lists the reasons why `bonebox bake` would refuse the hitboxes. */
export function brokenLimits({ broken }: Bake): Node[] {
  if (broken.length === 0) return [];
  const items = broken.map((sentence) => h('li', {}, sentence));
  return [h('div', { class: 'broken', role: 'alert' }, h('strong', {}, 'bonebox bake refuses these hitboxes'), h('ul', {}, ...items))];
}
