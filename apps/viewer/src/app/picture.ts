// Draws the state of the page: the actors of each view, their poses and styles, and the labels.

import type { Actor } from '../scene/actor';
import type { Label, View } from '../scene/labels';
import type { App } from './app';
import { place, poseBoth, poseTracked } from './duel';
import { jointLabels } from './jointLabels';

/** Radius of the dot at an escape, as a share of the height. */
export const DOT = 0.009;

export class Picture {
  constructor(private readonly app: App) {}

  /** All actors in the picture, from left to right. */
  get actors(): Actor[] {
    const { app } = this;
    if (app.isComparing) return app.comparison.actors;
    const { first, opponent } = app.cast;
    return [first, app.hasOpponent ? opponent : null].flatMap((loaded) => (loaded ? [loaded.actor] : []));
  }

  /** Puts all actors into the views of the mode. */
  arrange(): void {
    const { app } = this;
    const { first, opponent, early } = app.cast;
    const actor = first?.actor ?? early;
    let views: View[] = actor ? [{ title: '', actors: [actor] }] : [];
    first?.actor.light(null);
    const at = app.encounter.place;
    if (app.isComparing && first) {
      views = app.comparison.views(first);
    } else if (app.hasOpponent && first && opponent && at) {
      place(opponent, at);
      views = [{ title: '', actors: [first.actor, opponent.actor] }];
    }
    app.stage.setViews(views);
    this.style();
    this.pose();
  }

  /** Styles all actors by the display settings, the selection and the visited escape. */
  style(): void {
    const { app } = this;
    for (const actor of this.actors) {
      const isOther = app.hasOpponent && actor !== app.first?.actor;
      actor.show(app.display);
      actor.select(isOther ? null : app.selection.joint);
      actor.hide(isOther ? new Set() : app.selection.hidden);
      actor.mark(app.visits.visited?.point ?? null, DOT * app.height);
    }
    app.stage.invalidate();
  }

  /** Poses all actors at the present time. */
  pose(): void {
    this.app.rayTool.clear();
    const { first, opponent } = this.app.cast;
    const { mode, encounter, clip, playback, tick } = this.app;
    if (mode === 'live' && first && opponent && encounter.feed) poseTracked(first, opponent, encounter.settings, encounter.feed);
    else if (mode === 'duel' && first && opponent && encounter.duel) poseBoth(first, opponent, encounter.settings, tick);
    else this.actors.forEach((actor) => actor.pose(clip, playback.time));
    const { marks } = this.app.stage;
    marks.actor = first?.actor ?? null;
    marks.setTouches(mode === 'duel' ? (tick?.skin ?? []).flatMap(({ point }) => (point ? [point] : [])) : []);
    this.app.stage.invalidate();
  }

  labels(): Label[] {
    const { app } = this;
    const { first, opponent } = app.cast;
    const shown = app.isComparing ? app.comparison.shown.map(({ loaded }) => loaded) : [first];
    const own = shown.flatMap((loaded) => (loaded ? jointLabels(loaded, app.names, app.selection, app.visits.visited) : []));
    const others = app.hasOpponent && opponent ? jointLabels(opponent, app.names, null, null) : [];
    // The first of labels that cover each other is shown.
    return [...app.rayTool.labels(), ...own, ...others];
  }
}
