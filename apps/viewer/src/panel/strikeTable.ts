// The strikes of a duel, and the switch that lets playback freeze at each.

import { OUTCOME_COLORS } from '../data/strikes';
import type { DuelStrike } from '../data/types';
import { actionRow, h, table } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { jointName, swatch } from './name';

export function strikeTable({ encounter }: Page, actions: Actions): Node[] {
  const { duel, freezes } = encounter;
  if (!duel) return [];
  const heading = h('h2', {}, `Strikes (${duel.strikes.length})`);
  if (duel.strike_problem !== null) return [heading, h('p', { class: 'hot' }, duel.strike_problem)];
  if (duel.strikes.length === 0) return [heading, h('p', { class: 'faint' }, 'No attack of these clips meets the other character.')];
  const freeze = h('input', { type: 'checkbox', id: 'freeze', checked: freezes, onchange: () => actions.strikes.freeze(!freezes) });
  return [heading, h('label', { class: 'freeze' }, freeze, ' playback freezes at each strike'), table('strikes', ['time', 'attack', 'from', 'to', 'outcome'], duel.strikes.map((strike, number) => row(strike, number, actions)))];
}

function row(strike: DuelStrike, number: number, actions: Actions): HTMLElement {
  const { time, attacker, attack, joint, target_joint: target, target_tags: tags, outcome, data } = strike;
  const more = data === undefined ? '' : `, data ${JSON.stringify(data)}`;
  return actionRow(
    { 'data-strike': String(number), 'data-key': `strike ${number}`, title: `Go to this strike: ${tags.join(', ')}${more}` },
    () => actions.strikes.visit(strike),
    h('td', {}, `${time.toFixed(3)} s`),
    h('td', {}, `${attacker.toUpperCase()} ${attack}`),
    h('td', {}, jointName(joint)),
    h('td', {}, jointName(target)),
    h('td', {}, swatch(OUTCOME_COLORS[outcome]), outcome),
  );
}

/** Marks the row of the strike in the picture. */
export function markStrike(holder: HTMLElement, number: number | null): void {
  for (const row of holder.querySelectorAll('tr[data-strike]')) row.setAttribute('aria-selected', String(row.getAttribute('data-strike') === String(number)));
}
