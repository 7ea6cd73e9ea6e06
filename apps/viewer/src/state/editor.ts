// The editor of hitboxes: what is edited and not saved, what is selected, and the history.

import type { EditedHitbox, JointEdits, JointFigures, Measured } from '../data/types';
import type { BoxRef } from './edits';
import { EMPTY, type History } from './history';

export const GIZMOS = ['move', 'turn', 'scale'] as const;
export type GizmoMode = (typeof GIZMOS)[number];

/** The number of a hitbox that a field shows. Lengths are in meters, `turn` in degrees. */
export type NumberField = 'center' | 'size' | 'turn';

export class Editor {
  /** The edits that are not saved, by `Page.characterKey`. */
  drafts: Record<string, JointEdits> = {};
  history: History = EMPTY;
  /** The selected hitboxes; the last one is that which fields show. */
  selected: BoxRef[] = [];
  gizmo: GizmoMode = 'move';
  /** The figures of single joints with the edits, by joint. */
  readonly figures = new Map<string, JointFigures>();
  /** The figures of all skin with the edits; `null` if they are not known. */
  whole: Measured | null = null;
  /** What the last save or undo has done, for people. */
  note = '';
  /** The reason why the last save or undo did not work. */
  problem = '';

  /** Forgets what is selected and measured, for another character. */
  clear(): void {
    this.selected = [];
    this.forgetFigures();
    this.note = this.problem = '';
  }

  forgetFigures(): void {
    this.figures.clear();
    this.whole = null;
  }
}

/** The shapes that an edited hitbox can have. */
export const SHAPES: readonly EditedHitbox['shape'][] = ['box', 'capsule', 'sphere'];
