// Ragdolls on the page: how far their joints turn, and a fall, driven by real clicks.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { bonebox, browser, documented, folderWith, keep, open, serve, settled } from './browser.js';

const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const PAGE = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
const SETTINGS = '[characters.runa]\npreset = "tight"\nparts = "humanoid"\nragdoll = true\n';

let chrome;
let server;
let folder;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('runa.glb', 'hound.glb');
  writeFileSync(join(folder, 'bonebox.toml'), SETTINGS);
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page that shows Runa in a moment of a clip. */
const openRuna = async (address, clip, time) => {
  const opened = await open(chrome.context, address);
  await opened.page.selectOption('#character', { label: 'runa (runa.glb)' });
  await opened.page.waitForFunction(() => window.bonebox.page.name === 'runa' && window.bonebox.page.bake);
  await settled(opened.page);
  await opened.page.selectOption('#clip', { label: clip });
  await opened.page.click('.play');
  await opened.page.locator('.track input').fill(String(time));
  await settled(opened.page);
  return opened;
};

const bakeOf = (page) => page.evaluate(() => window.bonebox.page.bake.bake);
const isFalling = (page) => page.evaluate(() => window.bonebox.page.falling !== null);
const label = (page) => page.locator('.fall').textContent();
const corners = (page) => page.evaluate(() => window.bonebox.picture.actors[0].corners());

/** `world_from_joint` of each joint in the picture. */
const poseOf = (page) => page.evaluate(() => window.bonebox.page.first.actor.matrices().world.map(({ elements }) => elements));

/** The places of the bodies in a pose, from where they are in the rest pose. */
const placesIn = (bodies, rest, pose) =>
  bodies.map(({ joint_index, position, rotation }) => {
    const body = new Matrix4().compose(new Vector3(...position), new Quaternion(...rotation), new Vector3(1, 1, 1));
    body.premultiply(new Matrix4().fromArray(rest[joint_index]).invert()).premultiply(new Matrix4().fromArray(pose[joint_index]));
    const place = { position: new Vector3(), rotation: new Quaternion() };
    body.decompose(place.position, place.rotation, new Vector3());
    return place;
  });

/** How many radians each body is past its limits, by the definition of swing and twist. */
function pastLimits(bodies, places) {
  const x = new Vector3(1, 0, 0);
  const vector = (q) => {
    const axis = new Vector3(q.x, q.y, q.z).multiplyScalar(Math.sign(q.w) || 1);
    return axis.setLength(2 * Math.atan2(axis.length(), Math.abs(q.w)));
  };
  return bodies.map(({ constraint }, body) => {
    if (!constraint) return 0;
    const { parent, kind, parent_from_frame, body_from_frame, limits } = constraint;
    const frame = places[parent].rotation.clone().multiply(new Quaternion(...parent_from_frame));
    const turn = frame.invert().multiply(places[body].rotation).multiply(new Quaternion(...body_from_frame));
    const swing = new Quaternion().setFromUnitVectors(x, x.clone().applyQuaternion(turn));
    const twist = Math.abs(vector(swing.clone().invert().multiply(turn)).x) - limits[0];
    const { y, z } = vector(swing);
    return kind === 'hinge' ? twist : Math.max(twist, Math.abs(y) - limits[1], Math.abs(z) - limits[2]);
  });
}

/** The number of pixels of the picture whose color is one of those of the ranges. */
const rangePixels = (page) =>
  page.evaluate(() => {
    const { canvas } = window.bonebox.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const isNear = (i, r, g, b) => Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 30;
    let [swing, now] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (isNear(i, 0x89, 0x57, 0xe5)) swing++;
      if (isNear(i, 0x1f, 0x9d, 0x3a)) now++;
    }
    return { swing, now };
  });

test('the ragdoll is drawn, and lines are red where a pose is past its limits', async () => {
  const { page, errors } = await openRuna(server.address, 'roundhouse_kick', 0.4);
  await page.click('[data-key="boxes=off"]');
  await page.click('[data-key="mesh=off"]');
  await settled(page);
  const without = await rangePixels(page);
  await page.click('#ragdoll');
  await settled(page);
  const shown = await rangePixels(page);
  assert.deepEqual(without, { swing: 0, now: 0 });
  assert.ok(shown.swing > 200 && shown.now > 200, JSON.stringify(shown));
  const { bodies } = await bakeOf(page);
  await page.selectOption('#clip', { label: 'rest pose' });
  const rest = await poseOf(page);
  let [inside, red] = [0, 0];
  const check = async () => {
    await settled(page);
    const outside = await page.evaluate(() => [...window.bonebox.page.first.actor.ragdoll.ranges.outside]);
    pastLimits(bodies, placesIn(bodies, rest, await poseOf(page))).forEach((past, body) => {
      const angle = past - Math.PI / 180;
      if (Math.abs(angle) > 1e-4) assert.equal(outside.includes(body), angle > 0, `${bodies[body].joint}: ${past}`);
      if (angle > 0) red++;
      else inside++;
    });
  };
  await check();
  for (const clip of ['roundhouse_kick', 'hit', 'walk']) {
    await page.selectOption('#clip', { label: clip });
    await page.click('.play');
    for (const time of [0, 0.3, 0.7]) {
      await page.locator('.track input').fill(String(time));
      await check();
    }
  }
  assert.ok(inside > 150, `${inside} in clips`);
  // The ranges follow whatever poses the joints: here, joints turn farther than in any clip.
  for (const angle of [0.5, 1, -1.5]) {
    const before = red;
    await page.evaluate((angle) => {
      const { actor } = window.bonebox.page.first;
      for (const bone of actor.bones.slice(1)) bone.rotateZ(angle).rotateX(0.5 * angle);
      window.bonebox.stage.invalidate();
    }, angle);
    await check();
    assert.ok(red > before + 5, `${red - before} red lines`);
  }
  await page.click('#ragdoll');
  await settled(page);
  assert.deepEqual(await rangePixels(page), without);
  assert.deepEqual(errors, []);
  await page.close();
});

test('the facts about bodies are those of the bake', async () => {
  const { page, errors } = await openRuna(server.address, 'idle', 0.2);
  const { bodies, boxes } = await bakeOf(page);
  const facts = () => page.locator('aside .facts').evaluateAll((lists) => Object.fromEntries(lists.flatMap((list) => [...list.querySelectorAll('dt')].map((name) => [name.textContent, name.nextSibling.textContent]))));
  const degrees = (radians) => `${Math.round((radians * 180) / Math.PI)}°`;
  const sources = { clips: 'from the clips', 'human-range': 'from the ranges of people', settings: 'from the settings', unknown: 'unknown' };
  for (const [index, { joint, mass, constraint }] of bodies.entries()) {
    await page.click(`tr[data-joint=${joint}]`);
    const { body, limits, 'held by': held } = await facts();
    assert.ok(body.startsWith(`${joint}, `), body);
    const [, number, unit] = /, ([\d.]+) (k?g)$/.exec(body);
    assert.ok(Math.abs(Number(number) * (unit === 'g' ? 0.001 : 1) / mass - 1) < 0.005, `${body} for ${mass} kg`);
    if (!constraint) {
      assert.equal(held, 'nothing: it is the root of the ragdoll');
      assert.equal(index, 0);
      continue;
    }
    assert.equal(held, `${bodies[constraint.parent].joint}, with a ${constraint.kind} joint`);
    const angles = limits.match(/±\d+°/g).map((angle) => angle.slice(1));
    assert.deepEqual(angles, constraint.limits.slice(0, constraint.kind === 'hinge' ? 1 : 3).map(degrees));
    assert.ok(limits.includes(sources[constraint.limits_from]), limits);
  }
  assert.ok(boxes.length > bodies.length, 'some bodies have several hitboxes');
  // A click on the picture selects a body too.
  await page.keyboard.press('Escape');
  await page.click('[data-view=front]');
  await settled(page);
  const { x, y, width, height } = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  assert.match((await facts()).body, /^\w+, [\d.]+ k?g$/);
  await page.click('#ragdoll');
  const total = bodies.reduce((sum, { mass }) => sum + mass, 0);
  assert.equal((await facts()).ragdoll, `${bodies.length} bodies, ${Number(total.toPrecision(3))} kg`);
  assert.deepEqual(errors, []);
  await page.close();
});

/** Clicks "Let fall", checks the fall until it rests, and goes back. */
async function checkFall(page) {
  const start = await corners(page);
  const height = await page.evaluate(() => window.bonebox.page.height);
  const { bodies } = await bakeOf(page);
  const camera = await page.evaluate(() => window.bonebox.stage.camera.pose);
  assert.equal(await label(page), 'Let fall');
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling !== null);
  assert.equal(await label(page), 'Back');
  let apart = 0;
  let below = 0;
  const floor = await page.evaluate(() => window.bonebox.stage.floor);
  for (let isAtRest = false; !isAtRest; ) {
    isAtRest = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(window.bonebox.page.falling.fall.isAtRest))));
    const { found, low, seconds } = await page.evaluate(() => {
      const { fall } = window.bonebox.page.falling;
      const low = Math.min(...window.bonebox.picture.actors[0].corners().flatMap(({ corners }) => corners.map(([, y]) => y)));
      const found = fall.places().map(({ position, rotation }) => ({ position: position.toArray(), rotation: rotation.toArray() }));
      return { found, low, seconds: fall.seconds };
    });
    assert.ok(seconds < 10, 'at rest within ten seconds');
    below = Math.max(below, floor - low);
    bodies.forEach(({ constraint }, body) => {
      if (!constraint) return;
      const parent = found[constraint.parent];
      const anchor = new Vector3(...constraint.anchor).applyQuaternion(new Quaternion(...parent.rotation)).add(new Vector3(...parent.position));
      apart = Math.max(apart, anchor.distanceTo(new Vector3(...found[body].position)) / height);
    });
  }
  const seconds = await page.evaluate(() => window.bonebox.page.falling.fall.seconds);
  console.log(`# at rest after ${seconds.toFixed(2)} s, joints ${(100 * apart).toFixed(2)} % apart, ${((100 * below) / height).toFixed(2)} % below the floor`);
  assert.ok(apart < 0.02, `joints are ${apart} of the height apart`);
  assert.ok(below < 0.01 * height, `${below} m below the floor`);
  const lying = await corners(page);
  const ys = lying.flatMap(({ corners }) => corners.map(([, y]) => y - floor));
  assert.ok(Math.min(...ys) < 0.01 * height && Math.max(...ys) < 0.6 * height, `it lies on the floor: ${Math.min(...ys)} to ${Math.max(...ys)}`);
  // The skeleton of the picture is that of the bodies.
  const places = await page.evaluate(() => window.bonebox.page.falling.fall.places().map(({ position }) => position.toArray()));
  const joints = await page.evaluate(() => window.bonebox.page.first.actor.matrices().world.map(({ elements }) => elements.slice(12, 15)));
  bodies.forEach(({ joint_index, joint }, body) => assert.ok(new Vector3(...joints[joint_index]).distanceTo(new Vector3(...places[body])) < 1e-6 * height, joint));
  await settled(page);
  return { start, camera, lying };
}

const isBack = async (page, { start, camera }) => {
  assert.equal(await label(page), 'Let fall');
  const now = await corners(page);
  now.forEach(({ corners }, box) => corners.forEach((corner, i) => assert.ok(new Vector3(...corner).distanceTo(new Vector3(...start[box].corners[i])) < 1e-6)));
  const pose = await page.evaluate(() => window.bonebox.stage.camera.pose);
  pose.forEach((number, i) => assert.ok(Math.abs(number - camera[i]) < 1e-4, `camera ${pose} is not ${camera}`));
};

test('the character falls onto the floor, rests, and goes back to its clip', async () => {
  const { page, errors } = await openRuna(server.address, 'roundhouse_kick', 0.4);
  const fall = await checkFall(page);
  await documented(page, join(SHOTS, 'ragdoll-fallen.png'), null);
  assert.match(await page.locator('.clock').textContent(), /^fall \d\.\d\d s, at rest$/);
  await page.click('.fall');
  await settled(page);
  await isBack(page, fall);
  assert.equal(await page.evaluate(() => window.bonebox.page.time), 0.4);
  // The keyboard does the same, and so does anything that moves the clip.
  await page.keyboard.press('g');
  assert.ok(await page.locator('#ragdoll').isChecked());
  await page.keyboard.press('Shift+G');
  await page.waitForFunction(() => window.bonebox.page.falling?.fall.seconds > 0.2);
  await page.keyboard.press('Shift+G');
  await settled(page);
  await isBack(page, fall);
  await page.focus('.fall');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.bonebox.page.falling?.fall.seconds > 0.2);
  await page.locator('.track input').fill('0.5');
  await page.waitForFunction(() => window.bonebox.page.falling === null);
  assert.equal(await page.evaluate(() => window.bonebox.page.time), 0.5);
  assert.equal(await label(page), 'Let fall');
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling !== null);
  await page.click('[data-key="=compare"]');
  await page.waitForFunction(() => window.bonebox.page.falling === null);
  assert.ok(await page.locator('.fall').isHidden());
  assert.deepEqual(errors, []);
  await page.close();
});

/** The moments of a fall in the picture of the documentation, in seconds; in the last one, the character lies still. */
const MOMENTS = [0, 0.3, 0.55, 10];

test('a fall in pictures side by side', async () => {
  const { page, errors } = await openRuna(server.address, 'roundhouse_kick', 0.4);
  await page.click('[data-key="mesh=clay"]');
  await page.click('[data-view=iso]');
  await page.evaluate(() => {
    window.bonebox.clip.setSpeed(0);
    window.pictures = [];
    const { camera } = window.bonebox.stage;
    const [x, y, z, ...target] = camera.pose;
    camera.pose = [...[x, y, z].map((at, axis) => target[axis] + 1.15 * (at - target[axis])), ...target];
  });
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling !== null);
  for (const [index, moment] of MOMENTS.entries()) {
    await page.evaluate((moment) => {
      const { page, falls } = window.bonebox;
      falls.advance(moment - page.falling.fall.seconds);
    }, moment);
    if (index === MOMENTS.length - 1) await page.click('#ragdoll');
    await settled(page);
    await page.evaluate(() => {
      const { canvas } = window.bonebox.stage;
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      copy.getContext('2d').drawImage(canvas, 0, 0);
      window.pictures.push(copy);
    });
  }
  const picture = await page.evaluate(async () => {
    const { width, height } = window.pictures[0];
    const [left, top, part, high] = [0.21 * width, 0.14 * height, 0.6 * width, 0.7 * height].map(Math.round);
    const all = new OffscreenCanvas(part * window.pictures.length, high);
    const context = all.getContext('2d');
    context.fillStyle = '#f7f7f8';
    context.fillRect(0, 0, all.width, high);
    window.pictures.forEach((each, index) => context.drawImage(each, left, top, part, high, part * index, 0, part, high));
    const bytes = new Uint8Array(await (await all.convertToBlob()).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  const png = Buffer.from(picture, 'base64');
  writeFileSync(join(SHOTS, 'ragdoll.png'), png);
  await keep(page, png, 'ragdoll');
  assert.ok(await page.evaluate(() => window.bonebox.page.falling.fall.isAtRest));
  assert.deepEqual(errors, []);
  await page.close();
});

test('a character that plays its clip falls with the velocity of its motion', async () => {
  const { page, errors } = await openRuna(server.address, 'walk', 0.3);
  // In the first moments the hand keeps the velocity that it has in the clip.
  const { bodies } = await bakeOf(page);
  const hand = bodies.findIndex(({ joint }) => joint === 'hand_l');
  const at = async (time) => {
    await page.locator('.track input').fill(String(time));
    await settled(page);
    return new Vector3(...(await poseOf(page))[bodies[hand].joint_index].slice(12, 15));
  };
  const [before, now] = [await at(0.3 - 1 / 60), await at(0.3)];
  const velocity = now.clone().sub(before).multiplyScalar(60);
  assert.ok(velocity.length() > 0.3, `${velocity.length()} m/s`);
  await page.selectOption('[aria-label=Speed]', '0.1');
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling?.fall.seconds > 0.02);
  const { position, seconds } = await page.evaluate((hand) => {
    const { fall } = window.bonebox.page.falling;
    return { position: fall.places()[hand].position.toArray(), seconds: fall.seconds };
  }, hand);
  const expected = now.clone().addScaledVector(velocity, seconds);
  const off = new Vector3(...position).distanceTo(expected);
  assert.ok(seconds < 0.1 && off < 0.3 * velocity.length() * seconds + 0.5 * 9.81 * seconds * seconds + 0.003, `${off} m off after ${seconds} s`);
  await page.click('.play');
  await page.waitForFunction(() => window.bonebox.page.falling === null && window.bonebox.page.playback.playing);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a pose in which a joint is scaled to nothing does not fall, and says so', async () => {
  const { page, errors } = await openRuna(server.address, 'idle', 0.1);
  await page.evaluate(() => {
    const { actor } = window.bonebox.page.first;
    const pose = actor.pose.bind(actor);
    actor.pose = (...where) => (pose(...where), actor.bones.find(({ name }) => name === 'head').scale.setScalar(0));
    window.unscaled = () => (actor.pose = pose);
  });
  await page.click('.fall');
  await page.locator('.message strong').waitFor();
  assert.equal(await page.locator('.message').textContent(), 'runa cannot fallThe joint head is scaled to nothing in this pose. Choose another moment of the clip.');
  assert.equal(await isFalling(page), false);
  await page.evaluate(() => window.unscaled());
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling?.fall.seconds > 0.2);
  assert.equal(await page.locator('.message').textContent(), '');
  assert.deepEqual(errors, []);
  await page.close();
});

test('new hitboxes end a fall, and a page without a ragdoll has no button', async () => {
  const { page, errors } = await openRuna(server.address, 'idle', 0.1);
  await page.click('.fall');
  await page.waitForFunction(() => window.bonebox.page.falling !== null);
  writeFileSync(join(folder, 'bonebox.toml'), SETTINGS.replace('ragdoll = true', 'ragdoll = false'));
  await page.waitForFunction(() => !window.bonebox.page.hasRagdoll);
  await settled(page);
  assert.equal(await isFalling(page), false);
  for (const name of ['runa', 'hound']) {
    await page.selectOption('#character', { label: `${name} (${name}.glb)` });
    await page.waitForFunction((name) => window.bonebox.page.name === name && window.bonebox.page.bake, name);
    await settled(page);
    assert.equal(await page.locator('#ragdoll').count(), 0);
    assert.ok(await page.locator('.fall').isHidden());
    await page.keyboard.press('Shift+G');
    await page.keyboard.press('g');
    assert.equal(await isFalling(page), false);
  }
  writeFileSync(join(folder, 'bonebox.toml'), SETTINGS);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a character falls in a report without a server', async () => {
  const report = async (name) => {
    const file = join(folder, `${name}.html`);
    await bonebox('report', join(folder, `${name}.glb`), '--page', PAGE, '-o', file);
    return { file, size: statSync(file).size };
  };
  const [runa, hound] = [await report('runa'), await report('hound')];
  console.log(`# a report has ${runa.size} bytes with the physics engine, and ${hound.size} bytes without it`);
  const { page, errors } = await openRuna(`file://${runa.file}`, 'hit', 0.3);
  const fall = await checkFall(page);
  await page.click('.fall');
  await settled(page);
  await isBack(page, fall);
  await page.goto(`file://${hound.file}`);
  await page.waitForFunction(() => window.bonebox?.page.bake);
  assert.equal(await page.locator('#ragdoll').count(), 0);
  assert.equal(await page.locator('#physics').textContent(), '');
  assert.deepEqual(errors, []);
  await page.close();
});
