// Draws the state of the page: the actors of each view, their poses and styles, and the labels.

import { Matrix4 } from 'three';
import { strikeText } from '../data/strikes';
import { activeBoxes, KIND_COLORS, windowRows, type WindowRow } from '../data/windows';
import { length } from '../data/units';
import type { Actor, Display } from '../scene/actor';
import type { Label, View } from '../scene/labels';
import type { Stage } from '../scene/stage';
import { isSameBox, shownRefs } from '../state/edits';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import { Selection } from '../state/selection';
import { place, poseBoth, poseStrike, poseTracked } from './duel';
import type { RayTool } from './rayTool';
import { markedRay, poseTarget } from './target';

/** The color of the hitbox that is nearest to a shot. */
const NEAREST = '#ff7a00';

/** Radius of the dot at an escape, as a share of the height. */
export const DOT = 0.009;

export class Picture {
  constructor(
    private readonly page: Page,
    private readonly stage: Stage,
    private readonly rayTool: RayTool,
  ) {}

  /** All actors in the picture, from left to right. */
  get actors(): Actor[] {
    const { page } = this;
    if (page.isComparing) return page.comparison.actors;
    if (page.mode === 'shared') return page.shared.actors;
    if (page.mode === 'shots') return this.targets.map(({ actor }) => actor);
    const { first, opponent } = page.cast;
    return [first, page.hasOpponent ? opponent : null].flatMap((loaded) => (loaded ? [loaded.actor] : []));
  }

  /** The target of the shot in the picture, then and now. */
  private get targets(): Loaded[] {
    const { then, now } = this.page.shots.target;
    return [then, now].flatMap((loaded) => loaded ?? []);
  }

  /** Puts all actors into the views of the mode, posed and styled. */
  arrange(): void {
    const { page } = this;
    const { first, opponent, early } = page.cast;
    const actor = first?.actor ?? early;
    let views: View[] = actor ? [{ title: '', actors: [actor] }] : [];
    first?.actor.light(null);
    const at = page.encounter.place;
    if (page.isComparing && first) {
      views = page.comparison.views(first);
    } else if (page.hasOpponent && first && opponent && at) {
      place(opponent, at);
      views = [{ title: '', actors: [first.actor, opponent.actor] }];
    }
    page.playback.time = Math.min(page.playback.time, page.seconds);
    if (page.mode === 'shared') views = page.shared.views();
    if (page.mode === 'shots') views = this.actors.length > 0 ? [{ title: '', actors: this.actors }] : [];
    this.stage.setViews(views);
    this.style();
    this.pose();
  }

  /** Styles all actors by the display settings, the selection and the visited escape. */
  style(): void {
    const { page } = this;
    for (const actor of this.actors) {
      const isFirst = actor === page.first?.actor;
      const { joint, hidden } = page.hasOpponent && !isFirst ? new Selection() : page.selection;
      actor.show(this.displayOf(actor));
      if (isFirst) actor.showHitboxes(page.hitboxes);
      if (page.mode === 'shared') {
        // Another skeleton may have other numbers for the same joints.
        const same = (joint: number) => actor.jointNamed(page.first?.model.joints[joint]?.name);
        actor.select(joint === null || !page.shared.drawsHitboxes(actor) ? null : same(joint));
        actor.hide(new Set([...hidden].flatMap((joint) => same(joint) ?? [])));
        actor.mark(isFirst ? (page.visited?.point ?? null) : null, DOT * page.height);
      } else {
        actor.select(joint, page.mode === 'edit' ? this.chosen : null);
        actor.hide(hidden);
        actor.mark(page.visited?.point ?? null, DOT * page.height);
      }
    }
    this.showHandles();
    this.stage.invalidate();
  }

  /** The numbers of the hitboxes that are selected in the editor. */
  private get chosen(): ReadonlySet<number> {
    const { edited, editor } = this.page;
    const refs = edited ? shownRefs(edited) : [];
    return new Set(refs.flatMap((ref, index) => (editor.selected.some((each) => isSameBox(each, ref)) ? [index] : [])));
  }

  /** Shows the handles at the hitbox that was selected last. */
  private showHandles(): void {
    const { page, stage } = this;
    const { editor, edited, first, mode } = page;
    const last = editor.selected.at(-1);
    const index = last && edited && mode === 'edit' ? shownRefs(edited).findIndex((ref) => isSameBox(ref, last)) : -1;
    const place = first && index >= 0 ? () => first.actor.worldFromBox(index) ?? new Matrix4() : null;
    stage.gizmo.show(editor.gizmo, place);
  }

  /** Of a target, the hitboxes are those of then, and the skin is that of now. */
  private displayOf(actor: Actor): Display {
    const { display, shots, mode, shared, surface } = this.page;
    if (mode === 'shared') {
      return { ...display, surface, boxes: shared.drawsHitboxes(actor) ? display.boxes : 'off', tint: shared.tintOf(actor) };
    }
    if (mode !== 'shots') return display;
    return actor === shots.target.then?.actor ? { ...display, surface: 'ghost' } : { ...display, boxes: 'off' };
  }

  /** Poses all actors at the present time. */
  pose(): void {
    this.rayTool.clear();
    const { mode, encounter, playback, tick, strike, cast, falling } = this.page;
    const { first, opponent } = cast;
    this.activate();
    const { shown, target } = this.page.shots;
    if (mode === 'boxes' && falling?.isOf(first)) falling.pose();
    else if (mode === 'shots') {
      if (shown) poseTarget(target, shown, NEAREST);
    } else if (mode === 'live' && first && opponent && encounter.feed) poseTracked(first, opponent, encounter.settings, encounter.feed);
    else if (strike && first && opponent) poseStrike(first, opponent, encounter.settings, strike);
    else if (mode === 'duel' && first && opponent && encounter.duel) poseBoth(first, opponent, encounter.settings, tick);
    else if (mode === 'shared') this.page.shared.pose(playback.clip, playback.time);
    else this.actors.forEach((actor) => actor.pose(playback.clip, playback.time));
    const { marks } = this.stage;
    const isShot = mode === 'shots';
    marks.actor = (isShot ? this.actors[0] : first?.actor) ?? null;
    const skins = mode === 'duel' ? (tick?.skin ?? []).flatMap(({ point }) => (point ? [point] : [])) : [];
    const nearest = isShot ? shown?.nearest : null;
    const points = strike ? [strike.point] : nearest ? [nearest.on_ray, nearest.on_hitbox] : skins;
    marks.setTouches(points, nearest !== null && nearest !== undefined);
    marks.setRay(isShot && shown ? markedRay(shown) : null);
    this.stage.invalidate();
  }

  /** Colors the hitboxes that attack or are in a state at the present time. In a duel, colors show contacts instead. */
  private activate(): void {
    const { page } = this;
    const { first, opponent } = page.cast;
    const show = (loaded: Loaded, rows: WindowRow[]) => {
      const kinds = activeBoxes(rows, page.clipSeconds);
      loaded.actor.activate(new Map([...kinds].map(([box, kind]) => [box, KIND_COLORS[kind]])));
    };
    if (first) show(first, page.mode === 'edit' ? [] : page.windowRows);
    if (opponent) show(opponent, []);
    const rowsOf = ({ bake }: Loaded) => (page.playback.clip === null ? [] : windowRows(bake, page.clipName));
    if (page.isComparing) for (const { loaded } of page.comparison.shown) if (loaded) show(loaded, rowsOf(loaded));
  }

  labels(): Label[] {
    const { page } = this;
    const { first, opponent } = page.cast;
    const shown = page.isComparing ? page.comparison.shown.map(({ loaded }) => loaded) : [first, page.hasOpponent ? opponent : null];
    // The first of labels that cover each other is shown.
    const { strike } = page;
    const struck = strike && first ? [{ actor: first.actor, joint: 0, text: strikeText(strike), at: strike.point }] : [];
    const { target, shown: shot } = page.shots;
    if (page.mode === 'shots') {
      const { nearest } = shot ?? {};
      return nearest && target.then ? [{ actor: target.then.actor, joint: 0, text: `${nearest.joint} · ${length(nearest.distance)}`, at: nearest.on_hitbox }] : [];
    }
    return [...this.rayTool.labels(), ...struck, ...shown.flatMap((loaded) => (loaded ? this.jointLabels(loaded) : []))];
  }

  /** Returns the names beside joints: of the selected joint, or of all joints; those with the largest hitboxes come first. */
  private jointLabels({ actor, bake }: Loaded): Label[] {
    const { display, selection, visited, cast } = this.page;
    const { joints, boxes } = bake.bake;
    // An opponent has no selection.
    const isOpponent = actor === cast.opponent?.actor;
    const { joint: selected, hidden } = isOpponent ? new Selection() : selection;
    const largest = [...boxes].sort((a, b) => b.volume - a.volume).map((box) => box.joint_index);
    const all = display.names ? largest.filter((joint) => !hidden.has(joint)) : [];
    // In the editor, the handles stand there, and the panel has the name.
    const own = selected === null || this.page.mode === 'edit' ? [] : [selected];
    return [...new Set([...own, ...all])].map((joint) => {
      const text = joints[joint]?.name ?? '';
      const at = !isOpponent && visited?.joint === text && visited.point ? { at: visited.point } : {};
      return { actor, joint, text, ...at };
    });
  }
}
