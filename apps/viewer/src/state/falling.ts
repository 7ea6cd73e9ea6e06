// A character that falls as a ragdoll, in place of its clip.

import type { Matrix4, Vector3 } from 'three';
import type { Fall } from '../ragdoll/fall';
import type { Rig } from '../ragdoll/rig';
import type { Loaded } from './library';
import type { Playback } from './playback';

export class Falling {
  /** The clip and the time in it at which the fall began, and whether the clip played. */
  readonly clip: number | null;
  readonly time: number;
  readonly wasPlaying: boolean;
  private readonly start: Vector3;

  /** `local` has the transforms of the joints to their parents' spaces in the pose that the fall began with. */
  constructor(
    private readonly loaded: Loaded,
    private readonly rig: Rig,
    private readonly local: Matrix4[],
    readonly fall: Fall,
    { clip, time, playing }: Playback,
  ) {
    this.start = fall.places()[0]!.position;
    [this.clip, this.time, this.wasPlaying] = [clip, time, playing];
  }

  /** Returns whether this is the fall of a character with these hitboxes. */
  isOf(loaded: Loaded | null): boolean {
    return loaded?.actor === this.loaded.actor && loaded.bake === this.loaded.bake;
  }

  /** The way of the first body since the fall began, in world space. */
  get moved(): Vector3 {
    return this.fall.places()[0]!.position.sub(this.start);
  }

  pose(): void {
    this.loaded.actor.poseInWorld(this.rig.pose(this.fall.places(), this.local));
  }
}
