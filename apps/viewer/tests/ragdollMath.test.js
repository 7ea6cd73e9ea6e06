// The math of ragdolls, against slow twins. It needs no browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { modules, random } from './modules.js';

let ragdoll;
let close;

before(async () => {
  const paths = ['ragdoll/swingTwist.ts', 'ragdoll/inertia.ts', 'ragdoll/lowest.ts', 'ragdoll/rig.ts', 'ragdoll/fall.ts', 'scene/ranges.ts', 'panel/bodyFacts.ts'];
  ({ loaded: ragdoll, close } = await modules(...paths));
});

after(() => close());

const X = new Vector3(1, 0, 0);
const near = (found, expected, most, what) => assert.ok(Math.abs(found - expected) <= most, `${what}: ${found} is not ${expected}`);
const quaternion = (next) => {
  const q = new Quaternion(next(), next(), next(), next());
  return q.length() > 0.1 ? q.normalize() : quaternion(next);
};
const vector = (next, size = 1) => new Vector3(next(), next(), next()).multiplyScalar(size);
/** The axis of a rotation times its angle. */
const scaledAxis = (q) => {
  const { x, y, z, w } = q.w < 0 ? new Quaternion(-q.x, -q.y, -q.z, -q.w) : q;
  const axis = new Vector3(x, y, z);
  return axis.length() > 0 ? axis.setLength(2 * Math.atan2(axis.length(), w)) : axis;
};
/** Swing and twist by their definition: the swing is the shortest turn that takes axis x along. */
const slow = (turn) => {
  const swing = new Quaternion().setFromUnitVectors(X, X.clone().applyQuaternion(turn));
  const twist = scaledAxis(swing.clone().invert().multiply(turn));
  const { y, z } = scaledAxis(swing);
  return { twist: twist.x, y, z };
};
/** Turns all around, and along single axes, from which rounding shows. */
function* turns() {
  const next = random(1);
  for (let i = 0; i < 2000; i++) yield quaternion(next);
  for (const axis of [X, new Vector3(0, 1, 0), new Vector3(0, 0, 1)]) {
    for (let angle = -165; angle <= 165; angle += 15) yield new Quaternion().setFromAxisAngle(axis, (angle * Math.PI) / 180);
  }
}

test('a turn is its swing after its twist', () => {
  let count = 0;
  for (const turn of turns()) {
    const { twist, y, z } = ragdoll.swingTwist(turn);
    const again = ragdoll.turnAbout([0, y, z]).multiply(ragdoll.turnAbout([twist, 0, 0]));
    near(Math.abs(again.dot(turn)), 1, 1e-9, 'the same turn');
    const expected = slow(turn);
    // After nearly half a turn of the swing, the definition has no digits left.
    if (Math.hypot(y, z) > 3.1) continue;
    count++;
    for (const key of ['twist', 'y', 'z']) near({ twist, y, z }[key], expected[key], 1e-6, key);
  }
  assert.ok(count > 1900);
});

test('a turn is past its limits by as much as its swing and its twist are', () => {
  const next = random(2);
  let [inside, outside] = [0, 0];
  for (const turn of turns()) {
    const limits = [1, 2, 3].map(() => 1.5 * Math.abs(next()));
    const expected = slow(turn);
    const twist = Math.max(Math.abs(expected.twist) - limits[0], 0);
    const swing = Math.max(Math.abs(expected.y) - limits[1], Math.abs(expected.z) - limits[2], 0);
    if (Math.hypot(expected.y, expected.z) > 3.1) continue;
    const ball = ragdoll.pastLimits(turn, { kind: 'ball', limits });
    near(ball.twist, twist, 1e-6, 'twist');
    near(ball.swing, swing, 1e-6, 'swing');
    assert.equal(ragdoll.pastLimits(turn, { kind: 'hinge', limits }).swing, 0);
    if (twist === 0 && swing === 0) inside++;
    else outside++;
  }
  assert.ok(inside > 30 && outside > 30, `${inside} ${outside}`);
});

test("a turn is within rapier's limits if its swing is within its own", () => {
  const next = random(3);
  let [inside, outside] = [0, 0];
  for (let i = 0; i < 5000; i++) {
    const [, limitY, limitZ] = [1, 2, 3].map(() => 0.05 + 1.4 * Math.abs(next()));
    const swing = [1.6 * limitY * next(), 1.6 * limitZ * next()];
    if (Math.hypot(...swing) > 2.6) continue;
    const turn = ragdoll.turnAbout([0, ...swing]).multiply(ragdoll.turnAbout([2.6 * next(), 0, 0]));
    const limits = ragdoll.limitsAt(turn, [0, limitY, limitZ]);
    [turn.y, turn.z].forEach((part, axis) => {
      const angle = 2 * Math.atan(part / turn.w);
      const past = Math.abs(swing[axis]) - [limitY, limitZ][axis];
      const [low, high] = limits[axis];
      const rapier = Math.max(low - angle, angle - high);
      if (Math.abs(past) < 1e-6) return;
      assert.equal(rapier > 0, past > 0, `swing ${swing}, limits ${limitY} ${limitZ}: ${angle} in ${low} to ${high}`);
      if (past > 0) outside++;
      else inside++;
    });
  }
  assert.ok(inside > 1000 && outside > 1000, `${inside} ${outside}`);
});

test('the rim of a cone is where the swing has its limits', () => {
  for (const limits of [[0, 0.4, 1.2], [0, 1.6, 0.1], [1, 0.02, 0.02]]) {
    for (const direction of ragdoll.swingRim(limits)) {
      const swing = scaledAxis(new Quaternion().setFromUnitVectors(X, direction));
      near(Math.max(Math.abs(swing.y) / limits[1], Math.abs(swing.z) / limits[2]), 1, 1e-6, `${limits}`);
      near(swing.x, 0, 1e-9, 'no twist');
    }
  }
});

test('principal axes make the inertia tensor again', () => {
  const next = random(4);
  const tensors = [[3, 2, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0], [2, 2, 1, 0.5, 0, 0], [1e-6, 2e-6, 2.5e-6, 1e-7, 0, -2e-7]];
  for (let i = 0; i < 300; i++) {
    // The inertia of points is that of a body.
    const all = [0, 0, 0, 0, 0, 0];
    for (let k = 0; k < 5; k++) {
      const { x, y, z } = vector(next);
      [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z].forEach((part, entry) => (all[entry] += part));
    }
    tensors.push(all);
  }
  for (const [xx, yy, zz, xy, xz, yz] of tensors) {
    const { moments, rotation } = ragdoll.principalInertia([xx, yy, zz, xy, xz, yz]);
    const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) => axis.applyQuaternion(rotation));
    const entry = (a, b) => axes.reduce((sum, axis, index) => sum + moments.getComponent(index) * axis.getComponent(a) * axis.getComponent(b), 0);
    const found = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
    found.forEach((part, index) => near(part, [xx, yy, zz, xy, xz, yz][index], 1e-9 * (xx + yy + zz), 'entry'));
  }
});

test('no point of a shape is below the lowest one', () => {
  const next = random(5);
  for (let i = 0; i < 200; i++) {
    const [a, b, c] = [1, 2, 3].map(() => 0.1 + Math.abs(next()));
    const corners = [...Array(8).keys()].map((k) => [k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c]);
    const round = (center, radius) => [...Array(20000).keys()].map((k) => {
      // Points of a sphere, evenly spread.
      const y = 1 - (2 * k + 1) / 20000;
      const angle = k * Math.PI * (3 - Math.sqrt(5));
      const across = Math.sqrt(1 - y * y);
      return [center[0] + radius * across * Math.cos(angle), center[1] + radius * y, center[2] + radius * across * Math.sin(angle)];
    });
    const solids = [
      [{ box: [a, b, c] }, corners],
      [{ hull: corners.slice(1) }, corners.slice(1)],
      ...(i < 10 ? [[{ sphere: a }, round([0, 0, 0], a)], [{ capsule: { half_length: b, radius: a } }, [...round([0, b, 0], a), ...round([0, -b, 0], a)]]] : []),
    ];
    const place = { position: vector(next), rotation: quaternion(next) };
    const shape = { center: vector(next).toArray(), rotation: quaternion(next).toArray() };
    for (const [solid, points] of solids) {
      const low = Math.min(...points.map((point) => {
        const at = new Vector3(...point).applyQuaternion(new Quaternion(...shape.rotation)).add(new Vector3(...shape.center));
        return at.applyQuaternion(place.rotation).add(place.position).y;
      }));
      near(ragdoll.lowestPoint([[{ ...shape, ...solid }]], [place]), low, 2e-3, Object.keys(solid)[0]);
    }
  }
});

/** A skeleton with a joint above the bodies, a joint between two of them, a joint at the end, and a root beside them. */
const PARENTS = [null, 0, 1, 2, 3, null];
const BODIES = [1, 3];

function skeleton(next) {
  const local = PARENTS.map((_, joint) => new Matrix4().compose(vector(next), quaternion(next), new Vector3(1, 1, 1).multiplyScalar(joint === 0 ? 0.01 : 1)));
  const pose = (local) => {
    const all = [];
    PARENTS.forEach((parent, joint) => all.push(parent === null ? local[joint] : all[parent].clone().multiply(local[joint])));
    return all;
  };
  const rest = pose(local);
  const bodies = BODIES.map((joint_index, index) => {
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    rest[joint_index].decompose(position, rotation, scale);
    return { joint_index, position: position.toArray(), rotation: rotation.toArray(), center_of_mass: vector(next, 0.1).toArray(), mass: 1 + index };
  });
  return { local, pose, rest, bodies, rig: new ragdoll.Rig(bodies, rest, PARENTS) };
}

const same = (found, expected, what) => found.elements.forEach((part, index) => near(part, expected.elements[index], 1e-6, `${what}, element ${index}`));

test('a pose goes to bodies and back', () => {
  const next = random(6);
  for (let i = 0; i < 100; i++) {
    const { local, pose, rig } = skeleton(next);
    const moved = local.map((matrix) => matrix.clone().multiply(new Matrix4().makeRotationFromQuaternion(quaternion(next))));
    const expected = pose(moved);
    rig.pose(rig.places(expected), moved).forEach((matrix, joint) => same(matrix, expected[joint], `joint ${joint}`));
  }
});

test('joints without a body follow the body above them', () => {
  const next = random(7);
  const { local, rest, rig } = skeleton(next);
  const places = rig.places(rest);
  const fallen = new Matrix4().compose(vector(next), quaternion(next), new Vector3(1, 1, 1));
  const [position, rotation] = [new Vector3(), new Quaternion()];
  ragdoll.matrixOf(places[1]).premultiply(fallen).decompose(position, rotation, new Vector3());
  const found = rig.pose([places[0], { position, rotation }], local);
  for (const joint of [0, 1, 2, 5]) same(found[joint], rest[joint], `joint ${joint} stays`);
  for (const joint of [3, 4]) same(found[joint], rest[joint].clone().premultiply(fallen), `joint ${joint} falls`);
});

test('velocities take each body from place to place', () => {
  const next = random(8);
  const { bodies, rig } = skeleton(next);
  const seconds = 1 / 60;
  const before = bodies.map(() => ({ position: vector(next), rotation: quaternion(next) }));
  const now = before.map(({ position, rotation }) => ({
    position: position.clone().add(vector(next, 0.1)),
    rotation: ragdoll.turnAbout(vector(next, 0.1).toArray()).multiply(rotation),
  }));
  rig.velocities(before, now, seconds).forEach(({ linear, angular }, body) => {
    const turned = ragdoll.turnAbout(angular.multiplyScalar(seconds).toArray()).multiply(before[body].rotation);
    near(Math.abs(turned.dot(now[body].rotation)), 1, 1e-9, 'rotation');
    const center = ({ position, rotation }) => new Vector3(...bodies[body].center_of_mass).applyQuaternion(rotation).add(position);
    near(center(before[body]).addScaledVector(linear, seconds).distanceTo(center(now[body])), 0, 1e-9, 'center of mass');
  });
});

test('the facts about a body say what holds it, or that nothing does', () => {
  const constraint = { parent: 0, kind: 'ball', limits: [0.5, 1, 0.2], limits_from: 'unknown' };
  const bodies = [['hips', 9], ['tail', 0.25, constraint], ['hat', 1.5], ['knee', 3.456, { ...constraint, kind: 'hinge', limits: [1, 0, 0], limits_from: 'settings' }]];
  const bake = {
    boxes: [...bodies, ['strap']].map((_, joint_index) => ({ joint_index })),
    bodies: bodies.map(([joint, mass, constraint], index) => ({ joint, mass, joint_index: index, boxes: index === 2 ? [2, 4] : [index], ...(constraint && { constraint }) })),
  };
  const facts = [...Array(6).keys()].map((joint) => Object.fromEntries(ragdoll.bodyFacts({ bake }, joint)));
  const hat = { body: 'hat, 1.5 kg', 'held by': 'nothing: it is loose' };
  assert.deepEqual(facts, [
    { body: 'hips, 9 kg', 'held by': 'nothing: it is the root of the ragdoll' },
    { body: 'tail, 250 g', 'held by': 'hips, with a ball joint', limits: 'twist ±29°, swing ±57° about y and ±11° about z; unknown: no clip moves the joint' },
    hat,
    { body: 'knee, 3.46 kg', 'held by': 'hips, with a hinge joint', limits: '±57°; from the settings' },
    hat,
    { body: 'none: the ragdoll has none of its hitboxes' },
  ]);
  assert.deepEqual(ragdoll.looseBodies(bake.bodies).map(({ joint }) => joint), ['hat']);
  assert.deepEqual(ragdoll.bodyFacts({ bake: { boxes: [] } }, 0), []);
});

/** Two bars, one above the other, with a ball joint between them, in the air. */
function twoBars(rapier, limits, velocity) {
  const bar = (y, constraint) => ({
    joint: '',
    joint_index: 0,
    position: [0, y, 0],
    rotation: [0, 0, 0, 1],
    boxes: [0],
    mass: 2,
    center_of_mass: [0, 0.4, 0],
    inertia: [0.12, 0.01, 0.12, 0, 0, 0],
    ...(constraint && { constraint }),
  });
  const constraint = { parent: 0, kind: 'ball', anchor: [0, 0.8, 0], parent_from_frame: [0, 0, Math.SQRT1_2, Math.SQRT1_2], body_from_frame: [0, 0, Math.SQRT1_2, Math.SQRT1_2], limits, stiffness: 0, damping: 0.05, limits_from: 'settings' };
  const bodies = [bar(1, null), bar(1.8, constraint)];
  const shape = { center: [0, 0.4, 0], rotation: [0, 0, 0, 1], box: [0.08, 0.36, 0.06] };
  const places = bodies.map(({ position }) => ({ position: new Vector3(...position), rotation: new Quaternion() }));
  const velocities = bodies.map(() => ({ linear: velocity.clone(), angular: new Vector3() }));
  const start = { bodies, shapes: [[shape], [shape]], noCollision: [[0, 1]], places, velocities, height: 1.7, floor: 0.2 };
  return { bodies, constraint, shapes: start.shapes, fall: new ragdoll.Fall(rapier, start) };
}

test('in the air a figure follows the parabola of its velocity, and it comes to rest on the floor', async () => {
  const rapier = await import('@dimforge/rapier3d-compat');
  await rapier.init();
  for (const limits of [[0.3, 0.5, 0.8], [0.2, 1.4, 0.1]]) {
    const velocity = new Vector3(1.5, 1, -0.7);
    const { bodies, constraint, shapes, fall } = twoBars(rapier, limits, velocity);
    const center = () => fall.places().reduce((sum, { position, rotation }, body) => sum.add(new Vector3(...bodies[body].center_of_mass).applyQuaternion(rotation).add(position)), new Vector3()).divideScalar(2);
    const start = center();
    fall.advance(0.3);
    const { seconds } = fall;
    near(seconds, 0.3, 1 / 240, 'steps');
    const expected = start.clone().addScaledVector(velocity, seconds).add(new Vector3(0, -0.5 * 9.81 * seconds * seconds, 0));
    near(center().distanceTo(expected), 0, 0.01 * expected.distanceTo(start), 'the parabola');
    let apart = 0;
    while (!fall.isAtRest && fall.seconds < 10) {
      fall.advance(1 / 60);
      const [parent, child] = fall.places();
      apart = Math.max(apart, new Vector3(...constraint.anchor).applyQuaternion(parent.rotation).add(parent.position).distanceTo(child.position));
    }
    assert.ok(fall.isAtRest, `at rest after ${fall.seconds} s`);
    assert.ok(apart < 0.02 * 1.7, `joints are ${apart} m apart`);
    const places = fall.places();
    near(ragdoll.lowestPoint(shapes, places), 0.2, 0.017, 'on the floor');
    const past = ragdoll.pastLimits(ragdoll.turnOf(places[0].rotation, places[1].rotation, constraint), constraint);
    assert.ok(Math.max(past.twist, past.swing) < 0.05, JSON.stringify(past));
    fall.dispose();
  }
});
