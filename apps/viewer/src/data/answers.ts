// The colors of the answers to shots.

import type { ListedShot } from './serverTypes';

export const ANSWER_COLORS: Record<ListedShot['answer'], string> = {
  hit: '#2da44e',
  blocked: '#b58900',
  'left out': '#a24bff',
  missed: '#ff2d3f',
  'not there': '#7d8ba1',
  'not allowed': '#7d8ba1',
};
