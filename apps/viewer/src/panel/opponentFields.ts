// The fields for the opponent of a duel or of a tracked player.

import type { App } from '../app/app';
import { choice, h } from './dom';

/** Creates a select element with its label. */
export function selectField(label: string, select: HTMLSelectElement): HTMLElement {
  return h('label', { for: select.id }, h('span', {}, label), select);
}

/** Creates a select element for a clip by name; an empty name is the rest pose. */
export function clipChoice(label: string, names: string[], value: string | null, change: (name: string) => void, id: string): HTMLSelectElement {
  return choice(label, [{ value: '', text: 'rest pose' }, ...names.map((name) => ({ value: name, text: name }))], value ?? '', change, id);
}

/** Creates a field for a number of a duel. */
export function numberField(id: string, label: string, value: number, step: number, change: (value: number) => void): HTMLElement {
  const input = h('input', { type: 'number', value: String(value), step: String(step), id: `duel-${id}` });
  input.addEventListener('change', () => Number.isFinite(input.valueAsNumber) && change(input.valueAsNumber));
  return h('label', { for: `duel-${id}` }, h('span', {}, label), input);
}

export function opponentFields(app: App): HTMLElement[] {
  const duel = app.encounter.settings;
  const characters = app.listing.characters.map(({ name }, index) => ({ value: String(index), text: name }));
  const clips = app.otherBake?.bake.clips.map(({ name }) => name) ?? [];
  return [
    selectField('B is', choice('B', characters, String(duel.other), (value) => app.setDuel({ other: Number(value) }), 'other')),
    selectField('clip of B', clipChoice('Clip of B', clips, duel.clipB, (clipB) => app.setDuel({ clipB }), 'clip-b')),
    numberField('distance', 'distance in m', duel.distance, 0.05, (distance) => app.setDuel({ distance })),
    numberField('turn', 'turn of B in °', duel.turn, 15, (turn) => app.setDuel({ turn })),
  ];
}
