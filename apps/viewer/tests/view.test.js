// `cargo xtask view-test`: the page in headless Chromium, driven by real clicks, against the program's own answers.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bonebox, browser, difference, documented, open, serve, serveIn, settled } from './browser.js';

const ASSETS = process.env.BONEBOX_ASSETS ?? '../../assets';
const CORPUS = process.env.BONEBOX_CORPUS;
const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';

let chrome;
let server;
let folder;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'bonebox-assets-'));
  for (const name of ['bruno.glb', 'runa.glb', 'hound.glb']) copyFileSync(join(ASSETS, name), join(folder, name));
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (question) => (await fetch(server.address + question)).json();
/** A screenshot; with `picture`, one for the documentation too, where those are asked for. */
const shot = async (page, name, picture = null) => {
  await settled(page);
  await documented(page, join(SHOTS, `${name}.png`), picture);
};
/** The same twice, one of them dark. */
const shots = async (page, name, picture = null, dark = null) => {
  await shot(page, name, picture);
  await page.keyboard.press('t');
  await shot(page, `${name}-dark`, dark);
  await page.keyboard.press('t');
};
const state = (page, of) => page.evaluate(of);
/** The number of pixels in the middle of the picture that have the red of skin outside all hitboxes. */
const redPixels = (page) =>
  page.evaluate(() => {
    const { canvas } = window.bonebox.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(canvas.width / 2 - 60, canvas.height / 2 - 60, 120, 120);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 180 && data[i + 1] < 70 && data[i + 2] < 90) count++;
    return count;
  });
const corners = (page) => page.evaluate(() => window.bonebox.picture.actors.map((actor) => actor.corners()));

test('boxes stand where the run time puts them, at rest and in every clip', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await shots(page, 'boxes', 'boxes', 'boxes-dark');
  for (let id = 0; id < 3; id++) {
    await page.selectOption('#character', String(id));
    await page.waitForFunction((id) => window.bonebox.page.index === id, id);
    await settled(page);
    const height = await page.evaluate(() => window.bonebox.page.height);
    await page.selectOption('#clip', '');
    const rest = await corners(page);
    assert.ok(rest[0].length > 20, 'a character has boxes');
    assert.ok(difference(rest[0], await ask(`api/pose?id=${id}`)) < 1e-5 * height);
    for (const [index, clip] of (await page.evaluate(() => window.bonebox.page.clips)).entries()) {
      await page.selectOption('#clip', String(index));
      await page.evaluate(() => window.bonebox.clip.play(false));
      for (const time of [0, 0.137, 0.5]) {
        await page.evaluate((time) => window.bonebox.clip.seek(time), time);
        const expected = await ask(`api/pose?id=${id}&clip=${encodeURIComponent(clip)}&time=${time}`);
        const found = difference((await corners(page))[0], expected);
        assert.ok(found < 1e-5 * height, `${clip} at ${time} s: ${found}`);
      }
    }
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('so do those of real characters', { skip: CORPUS ? false : 'no corpus here' }, async () => {
  const folders = ['kaykit', 'khronos', 'robot', 'gdquest', 'quaternius'].map((name) => join(CORPUS, name));
  const real = await serve(...folders);
  const { page, errors } = await open(chrome.context, real.address);
  const ask = async (question) => (await fetch(real.address + question)).json();
  const { characters } = await ask('api/listing');
  assert.ok(characters.length > 10);
  for (const [id, { file }] of characters.entries()) {
    await page.evaluate((id) => window.bonebox.loader.open(id), id);
    await settled(page);
    const height = await page.evaluate(() => (window.bonebox.clip.choose(null), window.bonebox.page.height));
    const rest = difference((await corners(page))[0], await ask(`api/pose?id=${id}`));
    assert.ok(rest < 1e-5 * height, `${file} at rest: ${rest} of ${height}`);
    const clips = await page.evaluate(() => window.bonebox.page.clips);
    if (clips.length === 0) continue;
    const last = clips.length - 1;
    const time = await page.evaluate((clip) => (window.bonebox.clip.choose(clip), window.bonebox.clip.seek(0.3), window.bonebox.page.time), last);
    const expected = await ask(`api/pose?id=${id}&clip=${encodeURIComponent(clips[last])}&time=${time}`);
    const posed = difference((await corners(page))[0], expected);
    assert.ok(posed < 1e-5 * height, `${file}, ${clips[last]} at ${time} s: ${posed} of ${height}`);
  }
  assert.deepEqual(errors, []);
  await page.close();
  real.stop();
});

test('a character of 76 clips is there within seconds', { skip: CORPUS ? false : 'no corpus here' }, async () => {
  const knight = await serve(join(CORPUS, 'kaykit', 'Knight.glb'));
  const begin = performance.now();
  const { page, errors } = await open(chrome.context, knight.address);
  const seconds = (performance.now() - begin) / 1000;
  assert.equal(await page.locator('#clip option').count(), 77, 'a rest pose and 76 clips');
  console.log(`# Knight: all there after ${seconds.toFixed(1)} s`);
  assert.ok(seconds < 30, `${seconds} s`);
  await shot(page, 'knight');
  assert.deepEqual(errors, []);
  await page.close();
  knight.stop();
});

test('clips play, pause and are scrubbed', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.selectOption('#clip', { label: 'walk' });
  const before = await corners(page);
  await page.waitForFunction(() => window.bonebox.page.time > 0.2);
  assert.ok(difference(before[0], (await corners(page))[0]) > 0.01, 'it moves');
  await page.click('.play');
  const stopped = await page.evaluate(() => window.bonebox.page.time);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.bonebox.page.time), stopped);
  await page.locator('.track input').fill('0.5');
  assert.equal(await page.evaluate(() => window.bonebox.page.time), 0.5);
  await page.keyboard.press('b');
  assert.equal(await page.evaluate(() => window.bonebox.page.display.boxes), 'wire');
  await page.keyboard.press('b');
  await page.keyboard.press('n');
  await settled(page);
  const labels = await page.locator('.labels span').evaluateAll((spans) =>
    spans.map((span) => {
      const { left, right, top, bottom } = span.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  assert.ok(labels.length > 8, `names of joints are shown: ${labels.length}`);
  const cover = (a, b) => a.left < b.right - 6 && b.left < a.right - 6 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  assert.ok(!labels.some((a, i) => labels.some((b, k) => i < k && cover(a, b))), 'and can be read');
  await shot(page, 'wire-names');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a click on a box selects its row, a click on a row its box', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-view=front]');
  await settled(page);
  const { x, y, width, height } = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  const selected = page.locator('tr[aria-selected=true]');
  await selected.waitFor();
  assert.ok(await selected.getAttribute('data-joint'));
  await page.click('tr[data-joint=head]');
  assert.equal(await selected.getAttribute('data-joint'), 'head');
  await settled(page);
  await shot(page, 'selected');
  const column = async (number) =>
    (await page.locator(`table.boxes tbody tr td:nth-child(${number})`).allTextContents()).map((text) => parseFloat(text) || 0);
  const escapes = await column(2);
  assert.ok(escapes[0] > 0);
  assert.deepEqual(escapes, [...escapes].sort((a, b) => b - a), 'the worst come first');
  await page.click('table.boxes thead button:has-text("fill")');
  const fills = await column(4);
  assert.deepEqual(fills, [...fills].sort((a, b) => a - b), 'and by what is pressed');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a bookmark jumps to the clip, the time and the joint of an escape', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  const { coverage } = await state(page, () => window.bonebox.page.bake.bake);
  const marks = page.locator('[data-escape]');
  assert.equal(await marks.count(), 6);
  const all = await ask('api/escapes?id=0');
  assert.ok(Math.abs(all[0].distance - coverage.max_escape) < 1e-5, 'the first is the worst of the bake');
  assert.deepEqual([all[0].joint, all[0].clip], [coverage.worst.joint, coverage.worst.clip]);
  for (const number of [0, 2]) {
    const escape = all[number];
    await page.click('[data-view=iso]');
    await marks.nth(number).click();
    await settled(page);
    const found = await state(page, () => {
      const { clipName, time, selection, bake } = window.bonebox.page;
      return { clip: clipName, time, joint: bake.bake.joints[selection.joint].name };
    });
    assert.deepEqual([found.clip, found.joint], [escape.clip, escape.joint]);
    assert.ok(Math.abs(found.time - escape.time) < 1e-4, `${found.time} is not ${escape.time}`);
    assert.equal(await page.locator('tr[aria-selected=true]').getAttribute('data-joint'), escape.joint);
    assert.equal(await marks.nth(number).getAttribute('aria-pressed'), 'true');
    if (number === 2) await shots(page, 'bookmark', 'bookmark', 'bookmark-dark');
  }
  // Skin outside the boxes is red, and no other skin is.
  await page.click('[data-key="boxes=off"]');
  await page.click('[data-value=compare]');
  await settled(page);
  const red = await state(page, () => {
    const { canvas } = window.bonebox.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const third = Math.floor(canvas.width / 3);
    return [0, 1, 2].map((part) => {
      const { data } = copy.getImageData(part * third, 0, third, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > 110 && data[i + 1] < 0.45 * data[i] && data[i + 3] > 250) count++;
      return count;
    });
  });
  assert.ok(red[0] > 30, `much is red with recipe: ${red}`);
  // A graphics card takes four weights a vertex and its own arithmetic: a pixel here and there.
  assert.ok(red[2] <= 0.02 * red[0], `nothing is red with cover: ${red}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test('presets stand beside each other with the figures of bonebox bake --preset', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=compare]');
  // It goes on answering while it bakes.
  await page.click('[data-view=side]');
  await page.locator('.view-title.waiting, td[data-of=cover]:not(.waiting)').first().waitFor();
  await settled(page);
  const volumes = [];
  for (const preset of ['recipe', 'tight', 'cover']) {
    const out = join(folder, `out-${preset}`);
    await bonebox('bake', '--quiet', '--preset', preset, '-o', out, join(folder, 'bruno.glb'));
    const baked = JSON.parse(readFileSync(join(out, 'bruno.bonebox.json'), 'utf8'));
    const shown = await page.evaluate((key) => window.bonebox.page.comparison.column(key).loaded.bake, preset);
    assert.deepEqual(shown.bake, baked, `${preset} is what the command bakes`);
    const [boxes, volume, , moving] = await page.locator(`td[data-of=${preset}]`).allTextContents();
    assert.equal(Number(boxes), baked.boxes.length);
    // Bruno's joints have no scale.
    const sum = baked.boxes.reduce((sum, box) => sum + box.volume, 0);
    assert.ok(Math.abs(parseFloat(volume) * (volume.endsWith('l') ? 0.001 : 1) - sum) < 0.006 * sum, `${preset}: ${volume} is not ${sum}`);
    assert.ok(Math.abs(parseFloat(moving) - 100 * baked.coverage.surface_clips) <= 0.1, `${preset}: ${moving}`);
    volumes.push(volume);
  }
  assert.equal(new Set(volumes).size, 3, `they differ: ${volumes}`);
  assert.equal((await corners(page)).length, 3);
  await page.selectOption('#clip', { label: 'roundhouse_kick' });
  await page.click('.play');
  await page.locator('.track input').fill('0.37');
  await page.click('[data-key="mesh=outside"]');
  await page.click('[data-view=iso]');
  await shots(page, 'compare', 'compare');
  await page.click('[data-column=recipe]');
  assert.equal((await corners(page)).length, 2, 'a press takes one out');
  await page.selectOption('#focus', 'tight');
  await settled(page);
  assert.equal(await page.locator('table.boxes tbody tr').count(), 104);
  assert.deepEqual(errors, []);
  await page.close();
});

test('one\u2019s own options stand beside them', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=compare]');
  await settled(page);
  await page.click('.own summary');
  await page.selectOption('#option-fit', 'joint-axes');
  await page.waitForFunction(() => window.bonebox.page.comparison.column('yours').loaded?.bake.bake.options.fit === 'joint-axes');
  await settled(page);
  for (const key of ['tight', 'cover']) await page.click(`[data-column=${key}]`);
  const [left, right] = await corners(page);
  assert.ok(difference(left, right) > 0.001, 'the boxes differ');
  await shot(page, 'yours');
  await page.locator('#option-margin').fill('much');
  await page.locator('#option-margin').blur();
  await page.locator('.view-title', { hasText: 'share of the character' }).waitFor();
  errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('422')));
  assert.deepEqual(errors, []);
  await page.close();
});

test('a duel has the pairs of bonebox duel --json', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
  await page.selectOption('#other', { label: 'runa' });
  await settled(page);
  await page.selectOption('#clip-a', 'jab');
  await settled(page);
  await page.selectOption('#clip-b', 'guard');
  await settled(page);
  await page.locator('#duel-distance').fill('0.8');
  await page.locator('#duel-distance').blur();
  await page.waitForFunction(() => window.bonebox.page.encounter.settings.distance === 0.8);
  await settled(page);
  const flags = ['--clip-a', 'jab', '--clip-b', 'guard', '--distance', '0.8', '--fps', '30', '--json', '--exact'];
  const printed = await bonebox('duel', join(folder, 'bruno.glb'), join(folder, 'runa.glb'), ...flags);
  const lines = printed.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(await page.evaluate(() => window.bonebox.page.encounter.duel.ticks), lines);
  const contact = lines.findIndex((tick) => tick.pairs.length > 0);
  assert.ok(contact > 0, 'they touch, but not from the start');
  await page.click('.bookmark');
  await settled(page);
  assert.equal(await page.evaluate(() => window.bonebox.page.tick.tick), contact);
  // Joints of the same part of the body are one row: "hand.right hits head".
  const bakes = await page.evaluate(() => [window.bonebox.page.bake, window.bonebox.page.otherBake].map(({ bake, parts }) => ({ joints: bake.joints.map(({ name }) => name), parts })));
  const part = (side, joint) => bakes[side].parts[bakes[side].joints.indexOf(joint)];
  const touches = ({ pairs }) => [...new Set(pairs.map(({ a, b }) => `${part(0, a)} ${part(1, b)}`))].sort();
  const shown = () => page.locator('tr[data-touch]').evaluateAll((rows) => rows.map((row) => row.dataset.touch).sort());
  for (let tick = contact; tick < contact + 4; tick++) {
    assert.equal(await page.evaluate(() => window.bonebox.page.tick.tick), tick);
    assert.deepEqual(await shown(), touches(lines[tick]), `tick ${tick}`);
    await page.keyboard.press('ArrowRight');
  }
  const most = lines.reduce((most, line, tick) => (line.pairs.length > lines[most].pairs.length ? tick : most), 0);
  await page.evaluate((time) => window.bonebox.clip.seek(time), lines[most].time);
  assert.ok((await shown()).length < lines[most].pairs.length, 'fewer rows than pairs');
  await page.locator('.fold').first().click();
  const [name] = await page.locator('tr[data-touch]').first().locator('td').allTextContents();
  assert.ok((await page.locator('tr.pair').count()) > 0, `the pairs of ${name} are shown when asked for`);
  // Hitboxes that touch are yellow, and red where the skin touches; dots are at the points of the run time.
  const colors = () => page.evaluate(() => window.bonebox.picture.actors.map(({ touching }) => touching));
  const names = (pairs, side) => [...new Set(pairs.map((pair) => pair[side]))].sort();
  let skins = 0;
  for (const tick of lines.filter(({ pairs }) => pairs.length > 0)) {
    await page.evaluate((time) => window.bonebox.clip.seek(time), tick.time);
    const expected = ['a', 'b'].map((side) => {
      const red = names(tick.skin, side);
      return { yellow: names(tick.pairs, side).filter((joint) => !red.includes(joint)), red };
    });
    assert.deepEqual(await colors(), expected, `tick ${tick.tick}`);
    const points = tick.skin.flatMap(({ point }) => (point ? [point] : []));
    assert.deepEqual(await page.evaluate(() => window.bonebox.stage.marks.touches), points);
    skins += tick.skin.length;
  }
  assert.ok(skins > 0, 'the jab lands on the skin');
  const withSkin = lines.filter(({ skin }) => skin.length > 0);
  assert.match(await page.locator('p.skin').textContent(), new RegExp(`^${withSkin.length} of ${lines.length} ticks with contact of the skin$`));
  await page.click('.bookmark:has-text("First contact of the skin")');
  await settled(page);
  assert.equal(await page.evaluate(() => window.bonebox.page.tick.tick), withSkin[0].tick);
  assert.ok((await page.locator('tr[data-touch] td[data-skin=touches]').count()) > 0, 'the table names them');
  const lit = page.locator('table.contacts tbody tr').first();
  await lit.click();
  await settled(page);
  assert.equal(await lit.getAttribute('data-lit'), 'true', 'a contact is where it is said to be');
  const [a, b] = await lit.locator('td').allTextContents();
  assert.ok((await shown()).includes(`${a} ${b}`));
  await shots(page, 'duel', 'duel');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a file without its skin shows hitboxes only in a duel, and says so', async () => {
  const baked = mkdtempSync(join(tmpdir(), 'bonebox-baked-'));
  await bonebox('bake', '--quiet', '-o', baked, join(folder, 'runa.glb'));
  const plain = await serve(join(baked, 'runa.bonebox'));
  const { page, errors } = await open(chrome.context, plain.address);
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
  await page.locator('p.skin:has-text("The skin was not tested: runa was baked without its skin")').waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('1');
  await page.keyboard.press('r');
  await settled(page);
  const { x, y, width, height } = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.waitForFunction(() => window.bonebox.rayTool.shown !== null);
  const { answer } = await page.evaluate(() => ({ answer: window.bonebox.rayTool.shown.answer }));
  assert.deepEqual([answer.is_skin, answer.source, answer.triangles.length], [false, null, 12]);
  // The browser logs the refused request of the skins.
  assert.ok(errors.every((error) => error.includes('422')), errors.join());
  await page.close();
  plain.stop();
  rmSync(baked, { recursive: true, force: true });
});

const minus = (u, v) => u.map((x, axis) => x - v[axis]);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = (u, v) => u.reduce((sum, x, axis) => sum + x * v[axis], 0);

/** The distance of a point from a triangle's plane, and the least share of a corner at that point. */
function place([a, b, c], point) {
  const normal = cross(minus(b, a), minus(c, a));
  const share = (u, v) => dot(cross(minus(v, u), minus(point, u)), normal) / dot(normal, normal);
  return { off: Math.abs(dot(minus(point, a), normal)) / Math.hypot(...normal), least: Math.min(share(a, b), share(b, c), share(c, a)) };
}

test('a click with rays shows the triangle of the skin under the pointer', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  const { x, y, width, height } = await page.locator('.stage canvas').boundingBox();
  const click = async (right, down) => {
    await page.mouse.click(x + right * width, y + down * height);
    await settled(page);
    return page.evaluate(() => window.bonebox.rayTool.shown?.answer ?? null);
  };
  /** The triangle lies in the surface that the page draws, and the label has its joint. */
  const check = async (answer, at) => {
    assert.ok(answer?.is_skin, `the ray hits the skin at ${at}`);
    const places = answer.triangles.map((triangle) => place(triangle, answer.point));
    assert.ok(places.some(({ off, least }) => off < 1e-5 && least > -1e-3), `${at}: ${JSON.stringify(places)}`);
    // The corners of the source triangle, skinned by the page's joints.
    const drawn = await page.evaluate(({ node, triangle }) => {
      const { model, bones, surface } = window.bonebox.picture.actors[0];
      const number = model.meshes.findIndex((mesh) => mesh.node === node);
      const mesh = model.meshes[number];
      const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
      const [positions, weights] = [new Float32Array(bytes(mesh.positions)), new Float32Array(bytes(mesh.weights))];
      const [slots, triangles] = [new Uint16Array(bytes(mesh.slots)), new Uint32Array(bytes(mesh.triangles))];
      const { boneInverses } = surface.meshes[number].skeleton;
      return [0, 1, 2].map((corner) => {
        const vertex = triangles[3 * triangle + corner];
        const sum = bones[0].position.clone().set(0, 0, 0);
        for (let k = 4 * vertex; k < 4 * vertex + 4; k++) {
          const matrix = bones[mesh.joints[slots[k]]].matrixWorld.clone().multiply(boneInverses[slots[k]]);
          sum.addScaledVector(bones[0].position.clone().fromArray(positions, 3 * vertex).applyMatrix4(matrix), weights[k]);
        }
        return sum.toArray();
      });
    }, answer.source);
    const { off, least } = place(drawn, answer.point);
    assert.ok(off < 1e-4 && least > -1e-2, `${at}: the page draws the triangle ${JSON.stringify(drawn)}, the hit is ${answer.point}`);
    const [label] = await page.locator('.labels span').allTextContents();
    assert.ok(label.startsWith(`${answer.joint} · hitbox ${answer.hitbox} · `), label);
    // Bruno's file has no normals, so that the normal is that of the triangle.
    const [a, b, c] = drawn;
    const across = cross(minus(b, a), minus(c, a));
    assert.ok(dot(answer.normal, across) > 0.999 * Math.hypot(...across), `${at}: ${answer.normal} on ${JSON.stringify(drawn)}`);
    const ends = await page.evaluate(() => [...window.bonebox.stage.marks.normals.attributes.position.array]);
    const [from, to] = [ends.slice(0, 3), ends.slice(3)];
    assert.ok(Math.hypot(...minus(from, answer.point)) < 1e-5, 'the page draws the normal at the hit');
    assert.ok(dot(minus(to, from), answer.normal) > 0.999 * Math.hypot(...minus(to, from)) && ends.length === 6, `${from} to ${to}`);
  };
  await page.click('[data-view=front]');
  await page.keyboard.press('r');
  await page.selectOption('#clip', { label: 'walk' });
  const first = await click(0.5, 0.5);
  assert.equal(await page.evaluate(() => window.bonebox.page.playback.playing), false, 'the playback stops');
  await check(first, 'the middle');
  await check(await click(0.5, 0.35), 'above it');
  await shot(page, 'ray', 'ray');
  assert.equal(await click(0.02, 0.02), null, 'past the character');
  await check(await click(0.5, 0.5), 'the middle again');
  await page.evaluate(() => window.bonebox.clip.seek(0.1));
  assert.equal(await page.evaluate(() => window.bonebox.rayTool.shown), null, 'another pose has no ray');
  await page.keyboard.press('r');
  assert.equal(await click(0.5, 0.5), null, 'without rays a click selects');
  assert.notEqual(await page.evaluate(() => window.bonebox.page.selection.joint), null);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a saved file is baked anew, the page reports a broken one, and the old boxes stay', async () => {
  const { page } = await open(chrome.context, server.address);
  await page.selectOption('#character', '1');
  await settled(page);
  assert.equal(await page.title(), 'hound · bonebox');
  await page.waitForTimeout(1500);
  writeFileSync(join(folder, 'hound.glb'), 'no glb');
  await page.locator('.message[data-kind=error]').waitFor();
  const said = await page.locator('.message').textContent();
  assert.match(said, /hound cannot be shown/);
  assert.match(said, /hound\.glb: .*expected .*found .*export it again/);
  assert.ok((await corners(page))[0].length > 20, 'the old boxes are there');
  const box = (selector) => page.locator(selector).boundingBox();
  const [banner, picture] = [await box('.message'), await box('.stage canvas')];
  assert.ok(banner.y + banner.height <= picture.y + 1, 'the message stands above the picture and covers nothing of it');
  await page.screenshot({ path: join(SHOTS, 'error.png') });
  copyFileSync(join(ASSETS, 'runa.glb'), join(folder, 'hound.glb'));
  await page.waitForFunction(() => document.querySelector('.message').textContent === '');
  await page.waitForFunction(() => window.bonebox.page.bake.bake.boxes.some(({ joint }) => joint === 'clavicle_l'));
  copyFileSync(join(ASSETS, 'hound.glb'), join(folder, 'hound.glb'));
  await page.waitForFunction(() => window.bonebox.page.bake.bake.boxes.some(({ joint }) => joint === 'tail_01'));
  await page.close();
});

test('a line saved in bonebox.toml bakes anew, and the page reports a wrong one', async () => {
  const game = mkdtempSync(join(tmpdir(), 'bonebox-game-'));
  copyFileSync(join(ASSETS, 'bruno.glb'), join(game, 'bruno.glb'));
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  const settings = join(game, 'bonebox.toml');
  // The elbow of the guide for artists, from below. Without a selection, neither the dot nor the filled hitbox hides the red skin.
  await page.click('tr[data-joint=lowerarm_l]');
  await page.click('.go');
  await page.click('[data-key="boxes=wire"]');
  const elbow = await state(page, () => window.bonebox.page.visited.point);
  await page.keyboard.press('Escape');
  await page.evaluate(([x, y, z]) => {
    const { camera } = window.bonebox.stage;
    const { target } = camera.controls;
    camera.lookAt(target.clone().set(x, y, z), target.clone().set(0.56, -0.42, 0.71).normalize(), 0.3);
    window.bonebox.output.refresh();
  }, elbow);
  await shot(page, 'elbow', 'elbow');
  const bare = await redPixels(page);
  assert.ok(bare > 200, `${bare} pixels of the elbow are bare`);
  // The address follows within a third of a second.
  await page.waitForTimeout(500);
  const view = await state(page, () => location.hash);
  await page.click('[data-key="boxes=solid"]');
  await page.click('[data-escape=upperarm_l]');
  const escape = () => state(page, () => window.bonebox.page.bake.bake.coverage.max_escape);
  const before = await escape();
  // The proposal of the page for the selected joint.
  writeFileSync(settings, await page.locator('.snippet').textContent());
  let saved = performance.now();
  await page.waitForFunction((before) => window.bonebox.page.bake.bake.coverage.max_escape < before, before);
  const took = (performance.now() - saved) / 1000;
  console.log(`# saved, baked and shown after ${took.toFixed(1)} s`);
  assert.ok((await escape()) < 0.6 * before, 'the box holds more');
  await settled(page);
  const facts = await page.locator('aside').textContent();
  assert.ok(facts.includes('bonebox.toml'), 'which file counts is told');
  await page.waitForTimeout(1100);
  writeFileSync(settings, 'preset = "cover"\n');
  await page.waitForFunction(() => window.bonebox.page.bake.bake.options.bridge === 'surface');
  assert.ok((await escape()) < 0.001, 'now nothing leaves');
  await page.goto(own.address + view);
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.bake);
  await settled(page);
  await shot(page, 'elbow-covered', 'elbow-covered');
  assert.equal(await redPixels(page), 0, 'the elbow is covered');
  // The limits of the guide to settings.
  writeFileSync(settings, '[limits]\nleast_surface_clips = 0.999\nmost_escape = 0.01\n');
  await page.locator('.broken li', { hasText: 'at least 0.999' }).waitFor();
  await page.locator('.broken li', { hasText: 'at most 0.01' }).waitFor();
  await shot(page, 'limits', 'limits');
  await page.waitForTimeout(1100);
  writeFileSync(settings, '[tags]\n"upperarm*" = ["arm", "hurt"]\n');
  const tags = page.locator('tr[data-joint=upperarm_l] .tag');
  await tags.first().waitFor();
  assert.deepEqual(await tags.allTextContents(), ['arm', 'hurt']);
  await page.waitForTimeout(1100);
  writeFileSync(settings, '[joints.elbow_l]\nmargin = 0.01\n');
  await page.locator('.message[data-kind=error]').waitFor();
  assert.match(await page.locator('.message').textContent(), /bonebox\.toml:1:9: .*no joint "elbow_l"/);
  // The marks stand below what they mean: letters of the quoted lines have one width.
  const [word, mark] = await page.evaluate(() => {
    const text = document.querySelector('.message pre').firstChild;
    const left = (index) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect().left;
    };
    return [left(text.data.indexOf('elbow_l')), left(text.data.indexOf('^'))];
  });
  assert.ok(Math.abs(word - mark) < 1, `the mark is at ${mark}, the word at ${word}`);
  await page.screenshot({ path: join(SHOTS, 'wrong-settings.png') });
  rmSync(settings);
  await page.waitForFunction(() => document.querySelector('.message').textContent === '');
  errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('422')));
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('an empty folder says what to do, and shows what comes', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'bonebox-empty-'));
  const alone = await serve(empty);
  const page = await chrome.context.newPage();
  await page.goto(alone.address);
  await page.locator('.message[data-kind=empty]').waitFor();
  await page.screenshot({ path: join(SHOTS, 'empty.png') });
  copyFileSync(join(ASSETS, 'hound.glb'), join(empty, 'late.glb'));
  await page.waitForFunction(() => window.bonebox.page.bake?.bake.name === 'late');
  alone.stop();
  await page.locator('.message[data-kind=lost]').waitFor();
  assert.match(await page.locator('.message').textContent(), /still running/);
  await page.close();
  rmSync(empty, { recursive: true, force: true });
});

test('keys are explained, and the page is dark or light', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.keyboard.press('?');
  await page.locator('dialog.help[open]').waitFor();
  await shot(page, 'help');
  await page.keyboard.press('Escape');
  await page.locator('dialog.help[open]').waitFor({ state: 'detached' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.keyboard.press('t');
  assert.notEqual(await ground(), before);
  await page.keyboard.press('e');
  assert.notEqual(await state(page, () => window.bonebox.page.visited), null, 'e goes to the worst escape');
  await page.keyboard.press('Escape');
  assert.equal(await state(page, () => window.bonebox.page.selection.joint), null);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a report needs no server', async () => {
  const report = join(folder, 'report.html');
  const page = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
  await bonebox('report', join(folder, 'bruno.glb'), '--page', page, '-o', report);
  console.log(`# the report of one character has ${statSync(report).size} bytes`);
  // 2 MB of it are the baker, as Base64.
  assert.ok(statSync(report).size < 4_200_000);
  const opened = await open(chrome.context, `file://${report}`);
  const asked = [];
  opened.page.on('request', (request) => asked.push(request.url()));
  await opened.page.selectOption('#clip', '');
  const height = await opened.page.evaluate(() => window.bonebox.page.height);
  const found = difference((await corners(opened.page))[0], await ask('api/pose?id=0'));
  assert.ok(found < 1e-5 * height);
  await opened.page.selectOption('#clip', { label: 'jab' });
  await settled(opened.page);
  await opened.page.locator('[data-escape]').nth(1).click();
  assert.deepEqual(await state(opened.page, () => window.bonebox.page.visited), (await ask('api/escapes?id=0'))[1]);
  await opened.page.click('[data-value=compare]');
  await settled(opened.page);
  const counts = await opened.page.locator('.sums tbody tr:first-child td').allTextContents();
  assert.deepEqual(counts, ['52', '104', '52'], 'every preset is in it');
  await shot(opened.page, 'report');
  assert.deepEqual(asked, [], 'nothing is asked for');
  assert.deepEqual(opened.errors, []);
  await opened.page.close();
});

test('hulls are drawn as what they are', async () => {
  const game = mkdtempSync(join(tmpdir(), 'bonebox-game-'));
  copyFileSync(join(ASSETS, 'bruno.glb'), join(game, 'bruno.glb'));
  writeFileSync(join(game, 'bonebox.toml'), 'shape = "hull"\n\n[joints.pelvis]\nshape = "box"\n');
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  await settled(page);
  const found = await page.evaluate(() => {
    const { boxes, layers } = window.bonebox.page.first.actor.boxes;
    const hulls = boxes.filter(({ hull }) => hull);
    // How far the drawn corners are from the nearest vertex of a hull in the world, in half extents of its box.
    let off = 0;
    const faces = layers.find(({ shape, part, object }) => shape === 'hull' && part === 'faces' && object.visible);
    const { position } = faces.geometry.attributes;
    let first = 0;
    for (const { data, bone, hull } of hulls) {
      const vertices = data.hull.vertices.map(([x, y, z]) => bone.position.clone().set(x, y, z).applyMatrix4(bone.matrixWorld));
      for (let i = 0; i < hull.faces.length / 3; i++, first++) {
        const at = bone.position.clone().fromBufferAttribute(position, first);
        off = Math.max(off, Math.min(...vertices.map((vertex) => vertex.distanceTo(at))) / Math.max(...data.half_extents));
      }
    }
    const edges = layers.find(({ shape, part, object }) => shape === 'hull' && part === 'edges' && object.visible);
    const drawn = layers.filter(({ shape, part, object }) => shape === 'box' && part === 'edges' && object.visible);
    return {
      off,
      drawn: first === faces.geometry.drawRange.count && edges.geometry.drawRange.count > 0,
      boxes: drawn.reduce((sum, { geometry }) => sum + geometry.instanceCount, 0),
      hulls: hulls.length,
      all: boxes.length,
    };
  });
  assert.ok(found.off < 1e-5 && found.drawn, JSON.stringify(found));
  assert.equal(found.boxes + found.hulls, found.all);
  assert.ok(found.hulls > 40, JSON.stringify(found));
  await page.click('tr[data-joint=head]');
  assert.match(await page.locator('dt:text-is("hitbox") + dd').textContent(), /^hull, /);
  await page.keyboard.press('Escape');
  await shot(page, 'hulls');
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('capsules and spheres are drawn as what they are', async () => {
  const game = mkdtempSync(join(tmpdir(), 'bonebox-game-'));
  copyFileSync(join(ASSETS, 'bruno.glb'), join(game, 'bruno.glb'));
  writeFileSync(join(game, 'bonebox.toml'), 'shape = "capsule"\n\n[joints.head]\nshape = "sphere"\n\n[joints.pelvis]\nshape = "box"\n');
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  await settled(page);
  const found = await page.evaluate(() => {
    const { boxes, layers } = window.bonebox.page.first.actor.boxes;
    const drawn = (kind) => {
      const shown = layers.filter(({ shape, part, object }) => shape === kind && part === 'edges' && object.visible);
      return shown.reduce((sum, { geometry }) => sum + geometry.instanceCount, 0);
    };
    // How far the corners of the drawn faces and edges are from the surface of the shape, in radii.
    let off = 0;
    for (const { geometry } of layers.filter(({ shape }) => shape === 'round')) {
      const { position, side } = geometry.attributes;
      for (const { data, straight } of boxes.filter(({ straight }) => straight !== null)) {
        const [radius, long] = data.half_extents;
        for (let i = 0; i < position.count; i++) {
          const y = long * ((1 - straight) * position.getY(i) + straight * side.getX(i));
          const beyond = Math.max(Math.abs(y) - (long - radius), 0);
          off = Math.max(off, Math.abs(Math.hypot(radius * position.getX(i), beyond, radius * position.getZ(i)) / radius - 1));
        }
      }
    }
    return { off, boxes: drawn('box'), round: drawn('round'), all: boxes.length };
  });
  assert.ok(found.off < 1e-5, JSON.stringify(found));
  assert.deepEqual([found.boxes, found.round], [1, found.all - 1]);
  for (const [joint, said] of [['head', /^sphere, /], ['foot_l', /^capsule, /], ['pelvis', /^\d/]]) {
    await page.click(`tr[data-joint=${joint}]`);
    assert.match(await page.locator('dt:text-is("hitbox") + dd').textContent(), said);
  }
  await page.keyboard.press('Escape');
  await shot(page, 'round');
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});
