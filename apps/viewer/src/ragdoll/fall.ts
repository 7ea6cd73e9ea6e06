// A ragdoll that falls onto a level floor.

import type { RigidBody } from '@dimforge/rapier3d-compat';
import { Quaternion, Vector3 } from 'three';
import type { Rapier } from './engine';
import type { Place } from './rig';
import { ANGULAR, spawn, type Spawned, type Start } from './spawn';
import { limitsAt, turnOf } from './swingTwist';

/** The share of the way to the limits for the present turn that limits go in a step. */
const FOLLOW = 0.1;
/** The speeds below which a body is still: heights of a person, and radians, per second. */
const STILL = { linear: 0.01, angular: 0.1 };
/** The time for which all bodies must be still until the figure rests, in seconds. */
const STILL_TIME = 0.5;

export class Fall {
  /** The time since the fall began, in seconds. */
  seconds = 0;
  private readonly spawned: Spawned;
  /** The time that is left to simulate, and the time for which all bodies are still, in seconds. */
  private left = 0;
  private still = 0;

  constructor(rapier: Rapier, start: Start) {
    this.spawned = spawn(rapier, start);
  }

  /** True after the figure has come to rest. */
  get isAtRest(): boolean {
    return this.still >= STILL_TIME;
  }

  /** Lets time pass in whole steps, unless the figure rests. */
  advance(seconds: number): void {
    const { world, bodies, step } = this.spawned;
    this.left += seconds;
    while (this.left >= step && !this.isAtRest) {
      this.left -= step;
      this.updateLimits();
      world.step();
      this.seconds += step;
      this.still = bodies.every((body) => this.isStill(body)) ? this.still + step : 0;
    }
  }

  places(): Place[] {
    return this.spawned.bodies.map((body) => ({ position: vector(body.translation()), rotation: rotation(body) }));
  }

  dispose(): void {
    this.spawned.world.free();
  }

  /** Adapts the limits of ball joints to how they are turned now, because rapier limits each axis by itself. */
  private updateLimits(): void {
    const { world, bodies, balls } = this.spawned;
    const { raw } = world.impulseJoints;
    for (const { joint, constraint, child } of balls) {
      const turn = turnOf(rotation(bodies[constraint.parent]!), rotation(bodies[child]!), constraint);
      limitsAt(turn, constraint.limits).forEach(([low, high], index) => {
        const axis = ANGULAR[index + 1]!;
        const [oldLow, oldHigh] = [raw.jointLimitsMin(joint, axis), raw.jointLimitsMax(joint, axis)];
        raw.jointSetLimits(joint, axis, oldLow + FOLLOW * (low - oldLow), oldHigh + FOLLOW * (high - oldHigh));
      });
    }
  }

  private isStill(body: RigidBody): boolean {
    const { length } = this.spawned;
    return vector(body.linvel()).length() < STILL.linear * length && vector(body.angvel()).length() < STILL.angular;
  }
}

function vector({ x, y, z }: { x: number; y: number; z: number }): Vector3 {
  return new Vector3(x, y, z);
}

function rotation(body: RigidBody): Quaternion {
  const { x, y, z, w } = body.rotation();
  return new Quaternion(x, y, z, w);
}
