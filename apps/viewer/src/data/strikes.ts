// Strikes: what the attacks of a duel hit.

import type { DuelStrike } from './types';

/** The color of each outcome, on the timeline and in the picture. */
export const OUTCOME_COLORS: Record<DuelStrike['outcome'], string> = {
  hit: '#ff2d3f',
  trade: '#ff2d3f',
  clash: '#f5c400',
  guard: '#2da44e',
  armor: '#7d8ba1',
  invulnerable: '#00a5e0',
  grab: '#a24bff',
  throw: '#ff3fa4',
};

/** Returns a strike in a few words. */
export function strikeText({ attacker, attack, joint, target_joint: target, outcome, time }: DuelStrike): string {
  return `${attacker.toUpperCase()} ${attack}: ${joint} > ${target}, ${outcome} at ${time.toFixed(3)} s`;
}
