// The fields for the opponent of a duel or of a tracked player.

import { clipTitles } from '../data/clipNames';
import { choice, h, labeled } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';

/** Creates a select element for a clip by name; an empty name is the rest pose. */
export function clipChoice(label: string, names: string[], value: string | null, change: (name: string) => void, id: string): HTMLSelectElement {
  const titles = clipTitles(names);
  const select = choice(label, [{ value: '', text: 'rest pose' }, ...names.map((name, index) => ({ value: name, text: titles[index]! }))], value ?? '', change, id);
  // The tooltip has the whole name.
  select.title = value || 'rest pose';
  return select;
}

/** Creates a field for a number of a duel. */
export function numberField(id: string, label: string, value: number, step: number, change: (value: number) => void): HTMLElement {
  const input = h('input', { type: 'number', value: String(value), step: String(step), id: `duel-${id}` });
  input.addEventListener('change', () => Number.isFinite(input.valueAsNumber) && change(input.valueAsNumber));
  return labeled(label, input);
}

export function opponentFields(page: Page, actions: Actions): HTMLElement[] {
  const duel = page.encounter.settings;
  const characters = page.listing.characters.map(({ name }, index) => ({ value: String(index), text: name }));
  const clips = page.otherBake?.bake.clips.map(({ name }) => name) ?? [];
  return [
    labeled('B is', choice('B', characters, String(duel.other), (value) => actions.setDuel({ other: Number(value) }), 'other')),
    labeled('clip of B', clipChoice('Clip of B', clips, duel.clipB, (clipB) => actions.setDuel({ clipB }), 'clip-b')),
    numberField('distance', 'distance in m', duel.distance, 0.05, (distance) => actions.setDuel({ distance })),
    numberField('turn', 'turn of B in °', duel.turn, 15, (turn) => actions.setDuel({ turn })),
  ];
}
