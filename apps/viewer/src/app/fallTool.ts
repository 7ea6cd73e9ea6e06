// Lets the character on the page fall as a ragdoll, and brings it back to its clip.

import { Vector3 } from 'three';
import { Refused } from '../data/source';
import { Fall } from '../ragdoll/fall';
import { loadEngine } from '../ragdoll/engine';
import { lowestPoint } from '../ragdoll/lowest';
import type { Start } from '../ragdoll/spawn';
import { Falling } from '../state/falling';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import type { Output } from './output';
import type { Picture } from './picture';

/** The time between the two poses that give the velocities, in seconds. */
const TICK = 1 / 60;

export class FallTool {
  /** The number of falls that were asked for; only the last one begins. */
  private asked = 0;
  /** True if the page shows why the last fall did not begin. */
  private hasFailed = false;
  /** The way that the camera has followed the fall. */
  private followed = new Vector3();

  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
  ) {}

  /** Lets the character fall, or brings it back to its clip. */
  async toggle(): Promise<void> {
    const { page, output } = this;
    if (page.falling) {
      page.playback.playing = page.falling.wasPlaying;
      return this.end();
    }
    const { first } = page;
    if (page.mode !== 'boxes' || !page.hasRagdoll || !first) return;
    const asked = ++this.asked;
    if (this.hasFailed) output.screen.say('', '');
    this.hasFailed = false;
    const work = async () => {
      const rapier = await loadEngine(() => page.source.physics());
      if (asked !== this.asked || first !== page.first || page.mode !== 'boxes') return;
      page.falling = this.begin((start) => new Fall(rapier, start), first);
      page.playback.playing = false;
      this.followed = new Vector3();
      this.picture.pose();
      output.refresh();
    };
    await output.ask(work, (error) => {
      this.hasFailed = true;
      output.screen.say('error', `${page.name} cannot fall\n${error.message}`);
    });
  }

  /** Ends the fall, if there is one, and shows the clip again. */
  end(): void {
    this.asked++;
    const { page } = this;
    const { falling } = page;
    if (!falling) return;
    falling.fall.dispose();
    page.falling = null;
    this.picture.pose();
    // Another view or character has its own camera.
    if (page.mode === 'boxes' && falling.isOf(page.first)) this.output.stage.camera.shift(this.followed.negate());
    this.output.refresh();
  }

  /** Lets time pass in the fall. The fall ends if anything moves or replaces the clip. */
  advance(seconds: number): void {
    const { falling, first, mode, playback } = this.page;
    if (!falling) return;
    const { clip, time, playing } = playback;
    if (mode !== 'boxes' || playing || !falling.isOf(first) || clip !== falling.clip || time !== falling.time) return this.end();
    if (falling.fall.isAtRest || seconds === 0) return;
    falling.fall.advance(seconds);
    this.picture.pose();
    this.follow(falling);
    if (falling.fall.isAtRest) this.output.refresh();
  }

  /** Moves the camera with the first body. */
  private follow({ moved }: Falling): void {
    const by = moved.sub(this.followed);
    this.followed.add(by);
    this.output.stage.camera.shift(by);
  }

  /**
   * Begins a fall in the pose of the picture, with the velocities of the clip there. Refuses a pose in which the joint of a body has
   * no rotation.
   */
  private begin(fall: (start: Start) => Fall, loaded: Loaded): Falling {
    const { playback, height } = this.page;
    const { actor, bake } = loaded;
    const { rig } = actor.ragdoll!;
    const pose = (time: number) => {
      actor.pose(playback.clip, time);
      return actor.matrices();
    };
    // At the start of a clip, the velocities are those of its first moments.
    const from = Math.max(playback.time - TICK, 0);
    const [before, after] = [rig.places(pose(from).world), rig.places(pose(from + TICK).world)];
    const { local, world } = pose(playback.time);
    const flat = rig.bodies.find(({ joint_index }) => !(Math.abs(world[joint_index]!.determinant()) > 0));
    if (flat) throw new Refused(`The joint ${flat.joint} is scaled to nothing in this pose. Choose another moment of the clip.`);
    const places = rig.places(world);
    const { floor } = this.output.stage;
    // A foot may be somewhat below the floor, and would be thrown out of it.
    const up = Math.max(floor - lowestPoint(bake.body_shapes, places), 0);
    for (const { position } of places) position.y += up;
    const start = { bodies: rig.bodies, shapes: bake.body_shapes, noCollision: bake.bake.no_collision ?? [], places, height, floor };
    return new Falling(loaded, rig, local, fall({ ...start, velocities: rig.velocities(before, after, TICK) }), playback);
  }
}
