// The characters that share their hitboxes: over each other, or side by side.

import type { Bake } from '../data/types';
import { percent } from '../data/units';
import type { Actor } from '../scene/actor';
import type { View } from '../scene/labels';
import type { Cast } from './cast';
import type { Library, Loaded } from './library';

export const LAYOUTS = ['overlay', 'side by side'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The colors of the skins in an overlay, in the order of the members. */
const COLORS = ['#4c8dff', '#ff8a3d', '#2da44e', '#d6336c', '#a24bff', '#12a5a5', '#b58900', '#7d8ba1'];

/** One character of a set. */
export interface Member {
  /** The number of the character. */
  index: number;
  name: string;
  /** The color of its skin in an overlay, as `#rrggbb`. */
  color: string;
  /** The loaded character; `null` until its bake arrives. */
  loaded: Loaded | null;
  /** The reason why the character cannot be shown. */
  error: string | null;
}

export class SharedSet {
  members: Member[] = [];
  layout: Layout = 'overlay';
  /** The numbers of the characters that the user has hidden. */
  private hidden: ReadonlySet<number> = new Set();

  constructor(
    private readonly library: Library,
    private readonly cast: Cast,
  ) {}

  /** Returns whether a bake shares its hitboxes with another character on the page. */
  static isIn(bake: Bake | null): boolean {
    return (bake?.shared?.members.length ?? 0) > 1;
  }

  /** Takes the characters that share hitboxes with the character on the page, whose number is `index`. */
  take(index: number, nameOf: (index: number) => string): void {
    const before = this.members;
    const { first } = this.cast;
    this.members = (first?.bake.shared?.members ?? []).map((each, number) => {
      const known = before.find((member) => member.index === each) ?? { loaded: null, error: null };
      const color = COLORS[number % COLORS.length]!;
      return Object.assign(known, { index: each, name: nameOf(each), color }, each === index ? { loaded: first, error: null } : {});
    });
    for (const member of before) if (!this.members.includes(member)) this.drop(member);
  }

  /** Forgets all characters, for another character on the page. */
  clear(): void {
    this.members.forEach((member) => this.drop(member));
    this.members = [];
  }

  /** Hides or shows a character; the last character stays. */
  toggle(index: number): void {
    const hidden = new Set(this.hidden);
    if (!hidden.delete(index)) hidden.add(index);
    if (this.members.some((member) => !hidden.has(member.index))) this.hidden = hidden;
  }

  /** Hides these characters. */
  hide(indices: Iterable<number>): void {
    this.hidden = new Set(indices);
  }

  /** The characters in the picture: those that are not hidden, or all if all are hidden. */
  get shown(): Member[] {
    const shown = this.members.filter(({ index }) => !this.hidden.has(index));
    return shown.length > 0 ? shown : this.members;
  }

  get actors(): Actor[] {
    return this.shown.flatMap(({ loaded }) => loaded?.actor ?? []);
  }

  /** Returns one view with all characters, or a view for each. */
  views(): View[] {
    if (this.layout === 'overlay') return [{ title: '', actors: this.actors }];
    return this.shown.map(({ name, loaded, error }) => {
      const note = error ?? (loaded ? `${outsideOf(loaded.bake)} outside` : 'baking…');
      return { title: name, note, waiting: !loaded && error === null, actors: loaded ? [loaded.actor] : [] };
    });
  }

  /** Returns the color of an actor's skin; `undefined` if it has its own color. */
  tintOf(actor: Actor): string | undefined {
    return this.layout === 'overlay' ? this.members.find(({ loaded }) => loaded?.actor === actor)?.color : undefined;
  }

  /** Returns whether an actor's hitboxes are drawn: those of characters that stand over each other are drawn once. */
  drawsHitboxes(actor: Actor): boolean {
    return this.layout !== 'overlay' || actor === this.actors[0];
  }

  /** Poses the character on the page by its clip, and all others as that character. */
  pose(clip: number | null, time: number): void {
    const first = this.cast.first?.actor;
    first?.pose(clip, time);
    for (const actor of this.actors) if (first && actor !== first) actor.poseLike(first);
  }

  /** The character on the page belongs to the cast. */
  private drop({ loaded }: Member): void {
    if (loaded?.actor !== this.cast.first?.actor) this.library.drop(loaded?.actor);
  }
}

/** The share of the skin outside all hitboxes, over all clips, or at rest without clips. */
export function outsideOf({ bake }: Bake): string {
  const { coverage, clips } = bake;
  return coverage ? percent(1 - (clips.length > 0 ? coverage.surface_clips : coverage.surface_rest)) : '–';
}
