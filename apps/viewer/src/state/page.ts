// The state of the page, and what follows from it. The panels show the state, and only the commands in `app` change it.

import type { Hitbox, Vec3 } from '../data/baked';
import type { Bake, DuelStrike, Escape, JointEdits, Listing, Tick } from '../data/types';
import type { Source } from '../data/source';
import { windowRows, type WindowRow } from '../data/windows';
import type { Display } from '../scene/actor';
import { SURFACE_STYLES, type SurfaceStyle } from '../scene/surface';
import { Cast } from './cast';
import { Comparison } from './comparison';
import { Editor } from './editor';
import { lostJoints, shownBoxes, type Edited } from './edits';
import { Encounter } from './encounter';
import type { Falling } from './falling';
import { Library, type Loaded } from './library';
import { Playback } from './playback';
import { Selection } from './selection';
import { SharedSet } from './sharedSet';
import { Shots } from './shots';
import { WindowEdits } from './windowEdits';

const NO_EDITS: JointEdits = {};

export const MODES = ['boxes', 'edit', 'compare', 'shared', 'duel', 'live', 'shots'] as const;
export type Mode = (typeof MODES)[number];

/** An escape to visit. Its point is `null` if only its joint and its time are known. */
export type VisitedEscape = Omit<Escape, 'point'> & { point: Vec3 | null };

export interface PageDisplay extends Display {
  /** True if the picture shows the names of all joints. */
  names: boolean;
}

export class Page {
  listing: Listing = { tool: '', characters: [], options: [], tracker: null, has_shots: false };
  /** The number of the character on the page. */
  index = 0;
  mode: Mode = 'boxes';
  display: PageDisplay;
  /** True if clicks cast rays in place of selecting hitboxes. */
  rays = false;
  /** The fall of the character on the page; `null` while it follows its clip. */
  falling: Falling | null = null;
  /** The escape that the user visited last. */
  visited: VisitedEscape | null = null;
  /** The number of answers of the server that the page waits for. */
  asked = 0;
  readonly selection = new Selection();
  readonly playback = new Playback();
  readonly encounter = new Encounter();
  readonly shots = new Shots();
  readonly windowEdits = new WindowEdits();
  readonly editor = new Editor();
  readonly library: Library;
  readonly cast: Cast;
  readonly comparison: Comparison;
  readonly shared: SharedSet;

  private shownHitboxes: { edits: JointEdits; bake: Bake; boxes: Hitbox[] } | null = null;

  constructor(readonly source: Source) {
    this.display = { surface: source.canBake ? 'textured' : 'clay', boxes: 'solid', skeleton: false, ragdoll: false, names: false };
    this.library = new Library(source);
    this.cast = new Cast(this.library);
    this.comparison = new Comparison(this.library, this.cast);
    this.shared = new SharedSet(this.library, this.cast);
  }

  get hasServer(): boolean {
    return this.source.hasServer;
  }

  get canBake(): boolean {
    return this.source.canBake;
  }

  /** The name of the character on the page. */
  get name(): string {
    return this.listing.characters[this.index]?.name ?? '';
  }

  /** Tells the characters apart, also after a reload. */
  keyOf(index: number): string {
    return `${index}/${this.listing.characters[index]?.file ?? ''}`;
  }

  get characterKey(): string {
    return this.keyOf(this.index);
  }

  /** The edits of the character on the page that are not saved. */
  get edits(): JointEdits {
    return this.editor.drafts[this.characterKey] ?? NO_EDITS;
  }

  get isEdited(): boolean {
    return Object.keys(this.edits).length > 0;
  }

  /** The hitboxes that are edited; `null` until the character is loaded. */
  get edited(): Edited | null {
    const { first, edits } = this;
    return first && { bake: first.bake, model: first.model, edits };
  }

  /** The edits of joints that the character has. */
  get knownEdits(): JointEdits {
    const { edited, edits } = this;
    const lost = edited ? lostJoints(edited) : [];
    return Object.fromEntries(Object.entries(edits).filter(([joint]) => !lost.includes(joint)));
  }

  /** The hitboxes of the character on the page: in the editor, those that are edited. */
  get hitboxes(): Hitbox[] {
    const { edits, bake, shownHitboxes } = this;
    if (!bake || this.mode !== 'edit') return bake?.bake.boxes ?? [];
    if (shownHitboxes?.edits !== edits || shownHitboxes.bake !== bake) this.shownHitboxes = { edits, bake, boxes: shownBoxes({ bake, edits }) };
    return this.shownHitboxes!.boxes;
  }

  /** The name of the opponent in a duel. */
  get otherName(): string {
    return this.listing.characters[this.encounter.settings.other]?.name ?? '';
  }

  /** The modes that can be chosen. */
  get modes(): Mode[] {
    const duel: Mode[] = this.canBake ? ['duel'] : [];
    const more: Mode[] = [...(this.listing.tracker === null ? [] : (['live'] as const)), ...(this.listing.has_shots ? (['shots'] as const) : [])];
    const shared: Mode[] = SharedSet.isIn(this.bake) ? ['shared'] : [];
    return ['boxes', 'edit', 'compare', ...shared, ...duel, ...more];
  }

  /**
   * The styles of the surface that can be chosen. The materials are in the character's file, which a report without the baker does not have, and opaque skins
   * over each other would hide each other.
   */
  get surfaces(): readonly SurfaceStyle[] {
    if (this.isOverlay) return ['outside', 'ghost', 'off'];
    return this.canBake ? SURFACE_STYLES : SURFACE_STYLES.filter((style) => style !== 'textured');
  }

  /** The style of the surface in the picture: that of the display settings, or `ghost` if it cannot be chosen. */
  get surface(): SurfaceStyle {
    return this.surfaces.includes(this.display.surface) ? this.display.surface : 'ghost';
  }

  /** Returns whether characters stand over each other. */
  private get isOverlay(): boolean {
    return this.mode === 'shared' && this.shared.layout === 'overlay';
  }

  get isComparing(): boolean {
    return this.mode === 'compare';
  }

  /** Returns whether two characters stand opposite each other. */
  get hasOpponent(): boolean {
    return this.mode === 'duel' || this.mode === 'live';
  }

  /** Returns whether the picture shows a clip of the character on the page. */
  get showsClip(): boolean {
    return this.mode === 'boxes' || this.mode === 'edit' || this.mode === 'compare' || this.mode === 'shared';
  }

  /** The character on the page, baked with its settings. */
  get first(): Loaded | null {
    return this.cast.first;
  }

  /** The bake that the tables describe. */
  get current(): Loaded | null {
    return this.isComparing ? this.comparison.current : this.first;
  }

  get bake(): Bake | null {
    return this.first?.bake ?? null;
  }

  /** Returns whether the character on the page has a ragdoll. */
  get hasRagdoll(): boolean {
    return (this.bake?.bake.bodies?.length ?? 0) > 0;
  }

  get otherBake(): Bake | null {
    return this.cast.opponent?.bake ?? null;
  }

  /** Height of the hitboxes at rest, in model units. */
  get height(): number {
    const bounds = this.bake?.bounds;
    return bounds ? bounds.max[1] - bounds.min[1] : 1;
  }

  get clips(): string[] {
    return this.first?.actor.clips.map((clip) => clip.name) ?? [];
  }

  /** The name of the clip that plays; an empty name is the rest pose. */
  get clipName(): string {
    const { clip } = this.playback;
    return clip === null ? '' : (this.clips[clip] ?? '');
  }

  /** The clip that plays, if there is one. */
  private get clip() {
    return this.playback.clip === null ? undefined : this.first?.actor.clips[this.playback.clip];
  }

  /** The time at which the clip starts, on its own clock in seconds. */
  get clipStart(): number {
    return this.clip?.start ?? 0;
  }

  /** The time in the picture, on the clip's own clock in seconds. */
  get clipSeconds(): number {
    return this.clipStart + this.time;
  }

  /** The length of a frame of the clip, in seconds. */
  get frame(): number {
    return this.clip?.frame ?? 1 / 60;
  }

  /** The attacks and the states of the clip, as they were dragged. */
  get windowRows(): WindowRow[] {
    if (!this.showsClip || this.playback.clip === null) return [];
    return this.windowEdits.applied(this.index, this.clipName, windowRows(this.bake, this.clipName));
  }

  get time(): number {
    return this.encounter.feed?.moment?.time ?? this.playback.time;
  }

  /** The length of the clip or duel, in seconds. */
  get seconds(): number {
    if (this.mode === 'live' || this.mode === 'shots') return 0;
    const { duel } = this.encounter;
    if (duel) return duel.ticks.at(-1)?.time ?? 0;
    return this.clip?.seconds ?? 0;
  }

  /** The strike in the picture, if the time is that of a strike. */
  get strike(): DuelStrike | null {
    return this.mode === 'duel' ? this.encounter.strikeAt(this.time) : null;
  }

  /** The tick in the picture. */
  get tick(): Tick | null {
    return this.encounter.tickAt(this.time);
  }

  jointNamed(name: string | null): number | null {
    const joint = this.first?.model.joints.findIndex((joint) => joint.name === name) ?? -1;
    return joint < 0 ? null : joint;
  }
}
