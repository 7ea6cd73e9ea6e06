// Draws the state of the page: the actors of each view, their poses and styles, and the labels.

import type { Actor } from '../scene/actor';
import type { Label, View } from '../scene/labels';
import type { Stage } from '../scene/stage';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import { Selection } from '../state/selection';
import { place, poseBoth, poseTracked } from './duel';
import type { RayTool } from './rayTool';

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
    const { first, opponent } = page.cast;
    return [first, page.hasOpponent ? opponent : null].flatMap((loaded) => (loaded ? [loaded.actor] : []));
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
    this.stage.setViews(views);
    this.style();
    this.pose();
  }

  /** Styles all actors by the display settings, the selection and the visited escape. */
  style(): void {
    const { page } = this;
    for (const actor of this.actors) {
      const isOther = page.hasOpponent && actor !== page.first?.actor;
      actor.show(page.display);
      actor.select(isOther ? null : page.selection.joint);
      actor.hide(isOther ? new Set() : page.selection.hidden);
      actor.mark(page.visited?.point ?? null, DOT * page.height);
    }
    this.stage.invalidate();
  }

  /** Poses all actors at the present time. */
  pose(): void {
    this.rayTool.clear();
    const { mode, encounter, playback, tick, cast } = this.page;
    const { first, opponent } = cast;
    if (mode === 'live' && first && opponent && encounter.feed) poseTracked(first, opponent, encounter.settings, encounter.feed);
    else if (mode === 'duel' && first && opponent && encounter.duel) poseBoth(first, opponent, encounter.settings, tick);
    else this.actors.forEach((actor) => actor.pose(playback.clip, playback.time));
    const { marks } = this.stage;
    marks.actor = first?.actor ?? null;
    marks.setTouches(mode === 'duel' ? (tick?.skin ?? []).flatMap(({ point }) => (point ? [point] : [])) : []);
    this.stage.invalidate();
  }

  labels(): Label[] {
    const { page } = this;
    const { first, opponent } = page.cast;
    const shown = page.isComparing ? page.comparison.shown.map(({ loaded }) => loaded) : [first, page.hasOpponent ? opponent : null];
    // The first of labels that cover each other is shown.
    return [...this.rayTool.labels(), ...shown.flatMap((loaded) => (loaded ? this.jointLabels(loaded) : []))];
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
    return [...new Set([...(selected === null ? [] : [selected]), ...all])].map((joint) => {
      const text = joints[joint]?.name ?? '';
      const at = !isOpponent && visited?.joint === text && visited.point ? { at: visited.point } : {};
      return { actor, joint, text, ...at };
    });
  }
}
