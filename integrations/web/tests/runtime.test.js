import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as bonebox from '../bonebox.js';
import { goldenFigure } from './figure.js';
import { goldenScene } from './golden.js';

const root = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));

/** 0.7 m in front of the origin, facing it. */
const OPPOSITE = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0.7, 1];

await bonebox.init();

test('the golden scene has the sums of every other machine', async () => {
  const figure = await goldenFigure(readFileSync(process.env.BONEBOX_GOLDEN_WASM));
  const golden = read('crates/runtime/tests/golden/scene.txt').toString().split('\n').filter((line) => line && !line.startsWith('#'));
  assert.deepEqual(goldenScene(bonebox, figure, 40), golden.slice(0, 1));
});

function fighters() {
  return ['runa', 'bruno'].map((name) => new bonebox.Character(read(`assets/${name}.bonebox`)));
}

test('a jab touches the chest, by clip and by matrices', () => {
  const [runa, bruno] = fighters();
  const [a, b] = [new bonebox.Pose(), new bonebox.Pose()];
  a.fromClip(runa, runa.findClip('jab'), 0.3);
  b.fromRest(bruno, OPPOSITE);
  assert.ok(bonebox.overlaps(a, b));
  const pairs = bonebox.overlappingJoints(a, b);
  const touching = [];
  for (let i = 0; i < pairs.length; i += 2) touching.push(`${runa.joints[pairs[i]].name} ${bruno.joints[pairs[i + 1]].name}`);
  assert.ok(touching.includes('hand_l spine_03'), touching.join(', '));
  const deepest = bonebox.contacts(a, b).sort((one, other) => other.depth - one.depth)[0];
  assert.ok(deepest.depth > 0 && deepest.points.length > 0);
  assert.equal(bonebox.distance(a, b).distance, 0);
  // The same place from matrices: a rest pose has no other.
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const c = new bonebox.Pose().fromModel(bruno, Array.from({ length: bruno.jointCount }, () => identity).flat(), OPPOSITE);
  assert.equal(c.hitboxes.center.length, 3 * bruno.hitboxCount);
  for (const one of [a, b, c, runa, bruno]) one.free();
});

test('a world gives events, rays and filters', () => {
  const [runa, bruno] = fighters();
  const world = new bonebox.World();
  world.insert(1, runa);
  world.insert(2, bruno, { team: 7 });
  const pose = (seconds) =>
    world.poseFromClips([{ body: 1, clip: runa.findClip('jab'), seconds }, { body: 2, clip: bruno.findClip('idle'), seconds: 0, worldFromModel: OPPOSITE }]);
  pose(0.3);
  world.update();
  assert.ok(world.events.length > 0 && world.events.every(({ phase, bodyA, bodyB }) => phase === 'started' && bodyA === 1 && bodyB === 2));
  world.update();
  assert.ok(world.events.every(({ phase }) => phase === 'persisted'));
  const shot = [[0, 1, -2], [0, 0, 1]];
  assert.equal(world.castRay(...shot).body, 1);
  assert.equal(world.castRay(...shot, { exclude: [1] }).body, 2);
  assert.equal(world.castRay(...shot, { exclude: [1], team: 7 }), null);
  assert.equal(world.castRay(...shot, { tags: ['head', 'no such tag'] }), null);
  assert.equal(world.castRayAny(...shot, { maxTime: 0.5 }), false);
  const hits = world.castRays([...shot.flat(), 10, 5, 5, 5, 0, 1, 0, 10]);
  assert.deepEqual([...hits.found], [1, 0]);
  const one = world.castRay(...shot);
  assert.deepEqual([hits.body[0], hits.hitbox[0], hits.entry[0], [...hits.point.slice(0, 3)]], [one.body, one.hitbox, one.entry, one.point]);
  assert.ok(world.overlappingBoxes({ sphere: { center: [0, 1, 0], radius: 0.5 } }).length > 0);
  for (const object of [world, runa, bruno]) object.free();
});

test('mistakes are errors with the words of Rust', () => {
  const [runa, bruno] = fighters();
  const pose = new bonebox.Pose();
  const refusal = (code, pattern, ask) => assert.throws(ask, (error) => error instanceof bonebox.BoneboxError && error.code === code && pattern.test(error.message));
  refusal('BAD_FILE', /this is not a \.bonebox file/, () => new bonebox.Character(new Uint8Array(4)));
  refusal('NOT_FOUND', /no clip "jabb"; its clips: idle, walk/, () => runa.findClip('jabb'));
  refusal('POSE_REFUSED', /53/, () => pose.fromModel(runa, Float32Array.from({ length: 32 }, (_, i) => Number(i % 5 === 0 || i % 16 === 15))));
  refusal('INVALID_ARGUMENT', /last row/, () => pose.fromModel(runa, new Float32Array(16 * 53)));
  refusal('POSE_REFUSED', /not a number/, () => pose.fromClip(runa, 0, NaN));
  refusal('NO_SKIN', /skin/, () => bonebox.exactOverlaps(pose.fromRest(runa), new bonebox.Pose().fromRest(bruno)));
  assert.throws(() => pose.fromRest(runa, [1, 2, 3]), /a matrix must have 16 numbers, and not 3/);
  assert.throws(() => new bonebox.World().insert(-1, runa), /a body is a whole number/);
  runa.free();
  runa.free();
  refusal('INVALID_HANDLE', /this character was freed/, () => runa.name);
});

test('objects that are freed leave their memory to others', () => {
  const bytes = read('assets/runa.bonebox');
  const sizes = [];
  for (let i = 0; i < 300; i++) {
    const character = new bonebox.Character(bytes);
    const pose = new bonebox.Pose().fromRest(character);
    pose.free();
    character.free();
    if (i % 100 === 99) sizes.push(bonebox.memoryBytes());
  }
  assert.equal(sizes[2], sizes[0]);
});
