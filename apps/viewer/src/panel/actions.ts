// The commands that the panels give.

import type { DuelStrike, EditedHitbox } from '../data/types';
import type { Change } from '../data/source';
import type { Grip, WindowRow } from '../data/windows';
import type { Direction } from '../scene/camera';
import type { GizmoMode, NumberField } from '../state/editor';
import type { BoxRef } from '../state/edits';
import type { DuelSettings } from '../state/encounter';
import type { Mode, PageDisplay, VisitedEscape } from '../state/page';
import type { Layout } from '../state/sharedSet';

export interface Actions {
  setMode(mode: Mode): void;
  look(direction: Direction): void;
  setDisplay(change: Partial<PageDisplay>): void;
  /** Lets clicks cast rays in place of selecting hitboxes. */
  setRays(rays: boolean): void;
  setDuel(change: Partial<DuelSettings>): void;
  /** Writes options into the settings, one after the other, and bakes with them. */
  apply(...changes: Change[]): void;
  /** The clip that plays. */
  readonly clip: {
    /** Goes to a moment; joints, hitboxes and contacts follow. */
    seek(time: number): void;
    /** Plays or pauses; without an argument, the other one of both. */
    play(playing?: boolean): void;
    /** Sets the speed of clips, as a multiple of their own speed. */
    setSpeed(speed: number): void;
    /** Shows a clip from its start; `null` is the rest pose. */
    choose(clip: number | null): void;
  };
  /** The selected joint. */
  readonly selecting: {
    /** Selects a joint. The selected joint again, or `null`, clears the selection. */
    select(joint: number | null): void;
    /** Hides the selected joint's hitboxes, or shows them again. Without a selection, shows all hitboxes. */
    hide(): void;
    /** Hides all hitboxes except those of the selected joint. The second call shows all hitboxes again. */
    isolate(): void;
    showAll(): void;
    /** Moves the camera to the selected joint's hitboxes, or to the whole scene if nothing is selected. */
    frame(): void;
  };
  /** The editor of hitboxes. */
  readonly edit: {
    /** Selects a hitbox; with `adds`, beside those that are selected, or not any more. `null` clears the selection. */
    select(ref: BoxRef | null, adds?: boolean): void;
    /** Chooses what the handles in the picture do. */
    use(gizmo: GizmoMode): void;
    /** Adds a hitbox to a joint. */
    add(joint: string): void;
    duplicate(): void;
    remove(): void;
    /** Gives the joints on the other side the mirrored hitboxes of the selected joints. */
    mirror(): void;
    /** Puts one box around the selected hitboxes. */
    merge(): void;
    /** Cuts the selected hitboxes in two along their longest axes. */
    split(): void;
    reshape(shape: EditedHitbox['shape']): void;
    tag(tags: string[]): void;
    /** Sets a number of the hitbox that was selected last: a length in meters, or an angle in degrees. */
    setNumber(field: NumberField, axis: number, value: number): void;
    /** Gives joints their fitted hitboxes again. */
    reset(joints: string[]): void;
    /** Gives the edit of a joint that is gone to another joint. */
    rename(from: string, to: string): void;
    /** Drops the edits of joints that are not saved. */
    discard(joints: string[]): void;
    /** Writes all edits into the settings and bakes again. */
    save(): void;
  };
  readonly history: {
    undo(): void;
    redo(): void;
  };
  readonly loader: {
    /** Shows another character with its first clip. */
    open(index: number): void;
  };
  readonly visits: {
    /** Jumps to the moment at which a joint's surface is farthest outside. */
    visit(escape: VisitedEscape): void;
    /** Jumps to the escape that is `step` entries after the last visited escape. */
    next(step: number): void;
  };
  readonly falls: {
    /** Lets the character fall as a ragdoll, or brings it back to its clip. */
    toggle(): void;
  };
  /** The windows of attacks and states. */
  readonly windows: {
    /** Moves a window of a row, or one of its edges, by some seconds from where the row has it. */
    drag(from: WindowRow, index: number, grip: Grip, by: number, snaps: boolean): void;
    /** Writes the dragged windows of the clip into the settings and bakes with them. */
    save(): void;
    /** Forgets the dragged windows of the clip. */
    discard(): void;
  };
  /** The strikes of a duel. */
  readonly strikes: {
    /** Switches whether playback freezes at each strike. */
    freeze(freezes: boolean): void;
    /** Goes to the moment of a strike. */
    visit(strike: DuelStrike): void;
  };
  readonly shots: {
    /** Shows the explained shot of a line of the file. */
    choose(line: number): void;
  };
  /** The characters that share their hitboxes. */
  readonly shared: {
    /** Shows a character or hides it; the last character stays. */
    show(index: number): void;
    setLayout(layout: Layout): void;
  };
  /** The columns of a comparison, by key. */
  readonly columns: {
    /** Shows a column or hides it; the last column stays. */
    show(key: string): void;
    /** Selects the column that the tables describe. */
    focusOn(key: string): void;
    /** Sets an option of the column "yours". */
    setOption(key: string, value: string): void;
  };
}
