// Puts a ragdoll and a floor into a world of rapier. integrations/rapier/src/lib.rs has the same settings, and says why.

import type { ColliderDesc, ImpulseJoint, RigidBody, World } from '@dimforge/rapier3d-compat';
import { Quaternion, Vector3 } from 'three';
import type { Constraint, RagdollBody } from '../data/baked';
import type { BodyShape } from '../data/types';
import type { Rapier } from './engine';
import { principalInertia } from './inertia';
import type { Place, Velocity } from './rig';

const GRAVITY = 9.81;
/** The moment of inertia that every body has beside its own, as a share of that of the whole figure. */
const ARMATURE = 0.004;
/** The number of times in a step that a joint would spring back. */
const SPRINGS = 4.2;
const FRICTION = 0.8;
/** The number of times in a second that a contact springs back, as rapier has it. */
const CONTACT_SPRINGS = 30;
/** The angular axes of rapier's joints, and the axes that each kind of constraint locks, as bits. */
export const ANGULAR = [3, 4, 5] as const;
const LOCKED = { ball: 0b000_111, hinge: 0b110_111 };
const FORCE_BASED = 1;
/** The springs of a new joint in a snapshot of rapier: the bits of 1,000,000 Hz and of the damping ratio 1. */
const USUAL_SPRINGS = [0x49742400, 0x3f800000] as const;

/** What falls, and where it starts. */
export interface Start {
  bodies: RagdollBody[];
  shapes: BodyShape[][];
  noCollision: [number, number][];
  /** The places and velocities of the bodies in the world. */
  places: Place[];
  velocities: Velocity[];
  /** The height of the figure in meters. */
  height: number;
  /** The height of the floor in the world. */
  floor: number;
}

/** A ragdoll in a world of its own. */
export interface Spawned {
  world: World;
  /** One for each body of the ragdoll. */
  bodies: RigidBody[];
  /** The handles of the joints of ball constraints, and the bodies that they hold. */
  balls: { joint: number; constraint: Constraint; child: number }[];
  /** The length of a step in seconds. */
  step: number;
  /** The height of the figure in heights of a person. */
  length: number;
}

export function spawn(rapier: Rapier, start: Start): Spawned {
  const length = start.height / 1.7;
  const time = Math.min(Math.sqrt(length), 1);
  const step = time / 240;
  const world = new rapier.World({ x: 0, y: -GRAVITY, z: 0 });
  Object.assign(world.integrationParameters, { dt: step, lengthUnit: length, numSolverIterations: 8, numInternalPgsIterations: 4 });
  world.integrationParameters.contact_natural_frequency = CONTACT_SPRINGS / time;
  const floor = rapier.ColliderDesc.cuboid(50 * length, length, 50 * length);
  world.createCollider(floor.setTranslation(0, start.floor - length, 0));
  const bodies = addBodies(rapier, world, start);
  const balls: Spawned['balls'] = [];
  const isHeld = (a: number, b: number) => start.bodies[a]!.constraint?.parent === b || start.bodies[b]!.constraint?.parent === a;
  start.bodies.forEach(({ constraint }, child) => {
    if (!constraint) return;
    const { handle: joint } = hold(rapier, world, constraint, bodies[constraint.parent]!, bodies[child]!);
    if (constraint.kind === 'ball') balls.push({ joint, constraint, child });
  });
  // A joint that leaves everything free keeps two bodies from colliding.
  for (const [a, b] of start.noCollision) if (!isHeld(a, b)) join(rapier, world, bodies[a]!, bodies[b]!, 0);
  const sprung = withSprings(rapier, world, SPRINGS / step);
  return { world: sprung, bodies: bodies.map(({ handle }) => sprung.getRigidBody(handle)), balls, step, length };
}

function addBodies(rapier: Rapier, world: World, { bodies, shapes, places, velocities }: Start): RigidBody[] {
  const armature = ARMATURE * spread(bodies);
  return bodies.map(({ mass, center_of_mass, inertia }, index) => {
    const [{ position, rotation }, { linear, angular }] = [places[index]!, velocities[index]!];
    const axes = principalInertia(inertia);
    const body = world.createRigidBody(
      rapier.RigidBodyDesc.dynamic()
        .setTranslation(...position.toArray())
        .setRotation(rotation)
        .setLinvel(...linear.toArray())
        .setAngvel(angular)
        .setAdditionalMassProperties(mass, new Vector3(...center_of_mass), axes.moments.addScalar(armature), axes.rotation)
        // With rapier's own thresholds, a limb falls asleep while it still turns back from beyond its limit.
        .setCanSleep(false),
    );
    for (const shape of shapes[index]!) {
      const collider = solid(rapier, shape).setTranslation(...shape.center).setRotation(new Quaternion(...shape.rotation));
      world.createCollider(collider.setDensity(0).setFriction(FRICTION).setRestitution(0), body);
    }
    return body;
  });
}

/** The shape about its own center. A hull that rapier does not take becomes the box around it. */
function solid({ ColliderDesc }: Rapier, shape: BodyShape): ColliderDesc {
  if ('box' in shape) return ColliderDesc.cuboid(...shape.box);
  if ('sphere' in shape) return ColliderDesc.ball(shape.sphere);
  if ('capsule' in shape) return ColliderDesc.capsule(shape.capsule.half_length, shape.capsule.radius);
  const half = (axis: 0 | 1 | 2) => Math.max(...shape.hull.map((vertex) => Math.abs(vertex[axis])));
  return ColliderDesc.convexHull(new Float32Array(shape.hull.flat())) ?? ColliderDesc.cuboid(half(0), half(1), half(2));
}

function hold(rapier: Rapier, world: World, constraint: Constraint, parent: RigidBody, child: RigidBody): ImpulseJoint {
  const { kind, anchor, parent_from_frame, body_from_frame, limits, stiffness, damping } = constraint;
  const joint = join(rapier, world, parent, child, LOCKED[kind]);
  joint.setLocalFrame1(new Vector3(...anchor), new Quaternion(...parent_from_frame));
  joint.setLocalFrame2(new Vector3(), new Quaternion(...body_from_frame));
  // Only the raw set has limits and motors for each axis of a joint.
  const { raw } = world.impulseJoints;
  ANGULAR.slice(0, kind === 'ball' ? 3 : 1).forEach((axis, index) => {
    raw.jointSetLimits(joint.handle, axis, -limits[index]!, limits[index]!);
    if (stiffness === 0 && damping === 0) return;
    raw.jointConfigureMotorModel(joint.handle, axis, FORCE_BASED);
    raw.jointConfigureMotor(joint.handle, axis, 0, 0, stiffness, damping);
  });
  return joint;
}

/** Joins two bodies, which then never collide. */
function join({ JointData }: Rapier, world: World, parent: RigidBody, child: RigidBody, locked: number): ImpulseJoint {
  const origin = new Vector3();
  const joint = world.createImpulseJoint(JointData.generic(origin, origin, new Vector3(1, 0, 0), locked), parent, child, true);
  joint.setContactsEnabled(false);
  return joint;
}

/**
 * Returns the world again with joints that spring back so many times in a second. The API cannot set this, so it is written into a
 * snapshot. With rapier's own million, some figures do not come to rest.
 */
function withSprings({ World }: Rapier, world: World, springs: number): World {
  const snapshot = world.takeSnapshot();
  const view = new DataView(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  let count = 0;
  for (let at = 0; at + 8 <= view.byteLength; at++) {
    if (view.getUint32(at, true) !== USUAL_SPRINGS[0] || view.getUint32(at + 4, true) !== USUAL_SPRINGS[1]) continue;
    view.setFloat32(at, springs, true);
    count++;
  }
  const joints = world.impulseJoints.len();
  world.free();
  if (count !== joints) throw new Error(`a snapshot of rapier has the springs of ${count} joints, expected ${joints}`);
  return World.restoreSnapshot(snapshot);
}

/** The moment of inertia of the whole figure in the rest pose, about its center of mass: of points. */
function spread(bodies: RagdollBody[]): number {
  const points = bodies.map(({ mass, position, rotation, center_of_mass }) => ({
    mass,
    at: new Vector3(...center_of_mass).applyQuaternion(new Quaternion(...rotation)).add(new Vector3(...position)),
  }));
  const mass = points.reduce((sum, point) => sum + point.mass, 0);
  const center = points.reduce((sum, { mass, at }) => sum.addScaledVector(at, mass), new Vector3()).divideScalar(mass);
  return points.reduce((sum, { mass, at }) => sum + mass * at.distanceToSquared(center), 0);
}
