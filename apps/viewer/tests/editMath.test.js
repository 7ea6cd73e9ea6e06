// The math of edits, against slow twins. It needs no browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { modules, random } from './modules.js';

let edit;
let close;

before(async () => {
  const paths = ['state/hitboxMath.ts', 'state/edits.ts', 'state/sides.ts', 'state/history.ts', 'state/turn.ts', 'state/settingsText.ts', 'data/clipNames.ts'];
  ({ loaded: edit, close } = await modules(...paths));
});

after(() => close());

const any = (next) => {
  const turn = new Quaternion(next(), next(), next(), next()).normalize();
  return new Matrix4().compose(new Vector3(next(), next(), next()), turn, new Vector3(1, 1, 1).multiplyScalar(1.5 + next()));
};
const anyBox = (next, shape = 'box') => {
  const [x, y, z] = [1.1 + next(), 1.1 + next(), 1.1 + next()];
  const half = { box: [x, y, z], capsule: [x, x + y, x], sphere: [x, x, x] }[shape];
  const orientation = new Quaternion(next(), next(), next(), next()).normalize().toArray();
  return { shape, role: 'hurt', tags: [], center: [next(), next(), next()], half_extents: half, orientation };
};
/** Points all over a hitbox, in model space. */
const points = (box, modelFromJoint) => {
  const next = random(7);
  const [x, y, z] = box.half_extents;
  const inside = (p) => {
    if (box.shape === 'box') return true;
    const along = Math.max(Math.abs(p.y) - (y - x), 0);
    return Math.hypot(p.x, along, p.z) <= x;
  };
  const within = Array.from({ length: 200 }, () => new Vector3(x * next(), y * next(), z * next())).filter(inside);
  const around = Array.from({ length: 400 }, () => new Vector3(next(), next(), next()).setLength(x)).map((p) => p.setY(p.y + Math.sign(p.y) * (y - x)));
  const all = box.shape === 'box' ? within : [...within, ...around];
  const corners = box.shape === 'box' ? [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z)) : [];
  const jointFromBox = new Matrix4().compose(new Vector3(...box.center), new Quaternion(...box.orientation), new Vector3(1, 1, 1));
  return [...all, ...corners].map((point) => point.applyMatrix4(jointFromBox).applyMatrix4(modelFromJoint));
};
const holds = (box, modelFromJoint, point, room = 1e-6) => {
  const boxFromModel = modelFromJoint.clone().multiply(new Matrix4().compose(new Vector3(...box.center), new Quaternion(...box.orientation), new Vector3(1, 1, 1))).invert();
  const [x, y, z] = box.half_extents;
  const at = point.clone().applyMatrix4(boxFromModel);
  if (box.shape === 'box') return Math.abs(at.x) <= x + room && Math.abs(at.y) <= y + room && Math.abs(at.z) <= z + room;
  return Math.hypot(at.x, Math.max(Math.abs(at.y) - (y - x), 0), at.z) <= x + room;
};

test('a mirrored hitbox holds the mirrored points, and mirrored twice it is the same', () => {
  const next = random(3);
  for (let round = 0; round < 60; round++) {
    const shape = ['box', 'capsule', 'sphere'][round % 3];
    const [from, to, box] = [any(next), any(next), anyBox(next, shape)];
    const other = edit.mirrored({ box, modelFromJoint: from }, to);
    for (const point of points(box, from)) assert.ok(holds(other, to, point.clone().multiply(new Vector3(-1, 1, 1)), 1e-5));
    const back = edit.mirrored({ box: other, modelFromJoint: to }, from);
    for (const key of ['center', 'half_extents']) back[key].forEach((x, axis) => assert.ok(Math.abs(x - box[key][axis]) < 1e-6, key));
    assert.ok(Math.abs(new Quaternion(...back.orientation).dot(new Quaternion(...box.orientation))) > 1 - 1e-9);
  }
});

test('a merged box holds all hitboxes, wherever their joints are, and touches one on each side', () => {
  const next = random(5);
  for (let round = 0; round < 60; round++) {
    const placed = [0, 1, 2].map((index) => ({ box: anyBox(next, ['box', 'capsule', 'sphere'][(round + index) % 3]), modelFromJoint: any(next) }));
    const target = any(next);
    const box = edit.merged(placed, target);
    for (const each of placed) for (const point of points(each.box, each.modelFromJoint)) assert.ok(holds(box, target, point, 1e-5));
    for (const axis of [0, 1, 2]) {
      const less = { ...box, half_extents: box.half_extents.map((half, index) => (index === axis ? 0.9 * half : half)) };
      const isTight = placed.some((each) => points(each.box, each.modelFromJoint).some((point) => !holds(less, target, point)));
      assert.ok(isTight, `axis ${axis} of round ${round} could be shorter`);
    }
  }
});

test('the halves of a hitbox hold its points, and no more room than a box needs', () => {
  const next = random(9);
  for (let round = 0; round < 60; round++) {
    const [box, joint] = [anyBox(next, ['box', 'capsule', 'sphere'][round % 3]), any(next)];
    const halves = edit.split(box);
    const isCut = halves.every(({ shape }) => shape === 'capsule');
    if (!isCut) for (const point of points(box, joint)) assert.ok(halves.some((half) => holds(half, joint, point, 1e-5)));
    const longest = Math.max(...box.half_extents);
    for (const half of halves) assert.ok(Math.max(...half.half_extents) <= longest + 1e-9);
  }
});

test('a capsule lies along the longest axis of the box it was', () => {
  for (const half of [[3, 1, 1], [1, 3, 1], [1, 1, 3]]) {
    const box = { shape: 'box', role: 'hurt', tags: [], center: [0, 0, 0], half_extents: half, orientation: [0, 0, 0, 1] };
    const capsule = edit.reshaped(box, 'capsule');
    assert.deepEqual(capsule.half_extents, [1, 3, 1]);
    const along = new Vector3(0, 1, 0).applyQuaternion(new Quaternion(...capsule.orientation));
    half.forEach((each, axis) => assert.ok(Math.abs(Math.abs(along.toArray()[axis]) - (each === 3 ? 1 : 0)) < 1e-9));
  }
});

test('the handles scale round shapes evenly', () => {
  assert.deepEqual(edit.scaled({ shape: 'box', half_extents: [1, 2, 3] }, [2, 1, 0.5]), [2, 2, 1.5]);
  assert.deepEqual(edit.scaled({ shape: 'sphere', half_extents: [1, 1, 1] }, [1, 1, 0.5]), [0.5, 0.5, 0.5]);
  assert.deepEqual(edit.scaled({ shape: 'capsule', half_extents: [1, 3, 1] }, [1, 2, 1]), [1, 6, 1]);
  assert.deepEqual(edit.scaled({ shape: 'capsule', half_extents: [1, 3, 1] }, [1, 0.1, 1]), [1, 1, 1], 'no shorter than wide');
  assert.deepEqual(edit.scaled({ shape: 'capsule', half_extents: [1, 3, 1] }, [2, 1, 1]), [2, 3, 2]);
});

test('names of joints have another side, or none', () => {
  const pairs = [
    ['upperarm_l', 'upperarm_r'], ['mixamorig:LeftArm', 'mixamorig:RightArm'], ['hand.L', 'hand.R'], ['L_Foot', 'R_Foot'], ['leftFoot', 'rightFoot'],
    ['Bip01 L Thigh', 'Bip01 R Thigh'], ['arm_left_01', 'arm_right_01'], ['左腕', '右腕'], ['J_Bip_L_UpperArm', 'J_Bip_R_UpperArm'], ['LEFT_LEG', 'RIGHT_LEG'],
  ];
  for (const [left, right] of pairs) {
    assert.equal(edit.mirroredName(left), right);
    assert.equal(edit.mirroredName(right), left);
  }
  for (const name of ['head', 'pelvis', 'Bip01 Spine', 'tail_lower', 'collar', 'bright']) assert.equal(edit.mirroredName(name), null, name);
});

test('the nearest name differs in the fewest letters', () => {
  assert.equal(edit.nearestName('Head', ['neck', 'head', 'hand_l']), 'head');
  assert.equal(edit.nearestName('ear_left', ['ear_r', 'ear_l', 'leg_left']), 'ear_l');
  assert.equal(edit.nearestName('any', []), null);
});

test('what is done is undone and done again; a drag is one thing', () => {
  const entry = (label, before, after, gesture) => ({ label, character: '0/a', joints: { head: [before, after] }, ...(gesture && { gesture }) });
  let history = edit.EMPTY;
  history = edit.recorded(history, entry('one', null, ['a']));
  history = edit.recorded(history, entry('drag', ['a'], ['b'], 'g'));
  history = edit.recorded(history, entry('drag', ['b'], ['c'], 'g'));
  assert.equal(history.entries.length, 2);
  assert.deepEqual(edit.toUndo(history).joints.head, [['a'], ['c']]);
  history = edit.undone(history);
  assert.deepEqual([edit.toUndo(history).label, edit.toRedo(history).label], ['one', 'drag']);
  history = edit.recorded(history, entry('other', ['a'], ['d']));
  assert.equal(edit.toRedo(history), null, 'what was undone is gone');
  assert.deepEqual(edit.undone(edit.undone(edit.undone(history))).done, 0);
  for (let round = 0; round < 500; round++) history = edit.recorded(history, entry(`${round}`, null, null));
  assert.equal(edit.toUndo(history).label, '499');
  assert.ok(history.entries.length <= 200);
});

test('angles are those of bonebox.toml: about x, then y, then z', () => {
  const next = random(11);
  for (let round = 0; round < 40; round++) {
    const orientation = new Quaternion(next(), next(), next(), next()).normalize();
    const [x, y, z] = edit.degreesOf(orientation.toArray()).map((degrees) => (degrees * Math.PI) / 180);
    const about = (axis, angle) => new Quaternion().setFromAxisAngle(new Vector3().setComponent(axis, 1), angle);
    const again = about(2, z).multiply(about(1, y)).multiply(about(0, x));
    assert.ok(Math.abs(again.dot(orientation)) > 1 - 1e-9);
    const turned = edit.degreesOf(edit.turnFromDegrees(orientation.toArray(), 2, 12));
    assert.ok(Math.abs(turned[2] - 12) < 1e-6);
  }
});

test('edits of joints replace what the bake has, and a reset takes them back', () => {
  const box = (joint, joint_index, center, hull_vertices = 8) => ({ joint, joint_index, tags: [], center, half_extents: [1, 1, 1], orientation: [0, 0, 0, 1], vertices: hull_vertices, hull_vertices, hull_volume: 1, volume: 8 });
  const names = ['hips', 'hand_l', 'hand_r'];
  const bake = { bake: { name: 'a', joints: names.map((name) => ({ name })), boxes: [box('hips', 0, [0, 0, 0], 20), box('hand_l', 1, [3, 0, 0]), box('hand_r', 2, [-3, 0, 0], 0)] } };
  const model = { joints: names.map((name, index) => ({ name, parent: index > 0 ? 0 : null })), rest: names.map(() => ({ t: [0, 0, 0], r: [0, 0, 0, 1], s: [1, 1, 1] })) };
  let edits = {};
  const now = () => ({ bake, model, edits });
  const apply = (step) => (edits = edit.withJoints(edits, step.joints));
  const counts = () => names.map((name) => edit.shownBoxes(now()).filter(({ joint }) => joint === name).length);
  apply(edit.duplicated(now(), [{ joint: 'hips', index: 0 }]));
  assert.deepEqual(counts(), [2, 1, 1]);
  apply(edit.changed(now(), [{ joint: 'hand_l', index: 0 }], (each) => ({ ...each, center: [4, 1, 0] })));
  const step = edit.mirroredAll(now(), [{ joint: 'hand_l', index: 0 }]);
  apply(step);
  assert.deepEqual(step.selected, [{ joint: 'hand_r', index: 0 }]);
  assert.deepEqual(edit.boxesOf(now(), 'hand_r')[0].center, [-4, 1, 0]);
  apply(edit.mergedInto(now(), [{ joint: 'hand_l', index: 0 }, { joint: 'hips', index: 0 }]));
  assert.deepEqual(counts(), [2, 0, 1], 'the hips hold more');
  assert.deepEqual(edit.boxesOf(now(), 'hips')[1].half_extents, [3, 1.5, 1]);
  apply(edit.splitAll(now(), [{ joint: 'hips', index: 1 }]));
  assert.deepEqual(counts(), [3, 0, 1]);
  apply(edit.removed(now(), [{ joint: 'hips', index: 0 }]));
  assert.deepEqual(edit.boxesOf(now(), 'hips').map(({ center }) => center[0]), [0.5, 3.5]);
  apply(edit.reset(now(), names));
  assert.deepEqual(edits, { hand_r: 'fitted' }, 'only the right hand is manual in the file');
  edits = { tail: [] };
  assert.deepEqual(edit.lostJoints(now()), ['tail']);
  apply(edit.renamed(edits, 'tail', 'hips'));
  assert.deepEqual(edits, { hips: [] });
});

test('a page without a server writes the lines itself', () => {
  const bake = { bake: { name: 'my hero', joints: [], boxes: [] } };
  const model = { joints: [{ name: 'head', parent: null }, { name: 'j', parent: 0 }], rest: [{ t: [0, 0, 0], r: [0, 0, 0, 1], s: [1, 1, 1] }, { t: [0, 0, 0], r: [0, 0, 0, 1], s: [2, 2, 2] }] };
  const box = { shape: 'capsule', role: 'hurt', tags: ['head'], center: [0, 0.1234567, 1], half_extents: [0.1, 0.2, 0.1], orientation: [0, 0, 0.7071068, 0.7071068] };
  const text = edit.settingsText({ bake, model, edits: {} }, { head: [box], j: [] });
  assert.equal(
    text,
    `[characters."my hero".joints.head]
skip = true

[[characters."my hero".joints.head.boxes]]
center = [0.0, 0.12346, 1.0]
half_extents = [0.1, 0.2, 0.1]
orientation = [0.0, 0.0, 0.70711, 0.70711]
shape = "capsule"
tags = ["head"]

[characters."my hero".joints.j]
skip = true
`,
  );
});

test('names of clips are short without their common prefix, and cut in the middle', () => {
  assert.deepEqual(edit.clipTitles(['CharacterArmature|Idle', 'CharacterArmature|Run']), ['Idle', 'Run']);
  assert.deepEqual(edit.clipTitles(['idle', 'idle_run']), ['idle', 'idle_run'], 'no name becomes empty');
  assert.deepEqual(edit.clipTitles(['jab', 'kick']), ['jab', 'kick']);
  assert.deepEqual(edit.clipTitles(['walk']), ['walk']);
  assert.deepEqual(edit.clipTitles(['run_left', 'run_right']), ['run_left', 'run_right'], 'a short prefix stays');
  const [long] = edit.clipTitles(['a_very_long_name_of_a_clip_that_ends_with_the_word_left']);
  assert.ok(long.length <= 32 && long.startsWith('a_very') && long.endsWith('word_left'), long);
});
