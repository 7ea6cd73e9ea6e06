// Characters that share their hitboxes, in one picture: their figures, their poses, and the switches that show them.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { bonebox, browser, difference, folderWith, open, serveIn, settled } from './browser.js';

const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const SET = 'preset = "cover"\nparts = "humanoid"\n\n[[shared]]\nname = "fighter"\ncharacters = ["runa*", "bruno"]\n';

let chrome;
let server;
let folder;

/** The file without its clips, as a look that shares the clips of another file. */
function withoutClips(glb) {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length));
  delete json.animations;
  const text = JSON.stringify(json);
  const chunk = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4));
  const head = Buffer.from(glb.subarray(0, 20));
  const rest = glb.subarray(20 + length);
  head.writeUInt32LE(20 + chunk.length + rest.length, 8);
  head.writeUInt32LE(chunk.length, 12);
  return Buffer.concat([head, chunk, rest]);
}

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('runa.glb', 'bruno.glb', 'hound.glb');
  writeFileSync(join(folder, 'runa_plain.glb'), withoutClips(readFileSync(join(folder, 'runa.glb'))));
  writeFileSync(join(folder, 'bonebox.toml'), SET);
  [chrome, server] = await Promise.all([browser(), serveIn(folder, '.')]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (question) => (await fetch(server.address + question)).json();
const choose = async (page, name) => {
  await page.selectOption('#character', { label: `${name} (${name}.glb)` });
  await page.waitForFunction((name) => window.bonebox.page.name === name && window.bonebox.page.bake !== null, name);
  await settled(page);
};
/** Waits until all characters of the set are in the picture. */
const all = async (page, count) => {
  await page.waitForFunction((count) => window.bonebox.picture.actors.length === count, count);
  await settled(page);
};
/** The corners of the hitboxes of the characters, by their names. */
const corners = (page) =>
  page.evaluate(() => Object.fromEntries(window.bonebox.page.shared.shown.map(({ name, loaded }) => [name, loaded.actor.corners()])));
const rows = (page) => page.locator('table.shared tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

test('all characters of a set stand in one picture, with the figures of bonebox bake', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await choose(page, 'hound');
  assert.equal(await page.locator('[data-value=shared]').count(), 0, 'the hound shares no hitboxes');
  await choose(page, 'runa');
  await page.selectOption('#clip', { label: 'jab' });
  await page.click('.play');
  await page.locator('.track input').fill('0.25');
  await page.click('[data-value=shared]');
  await all(page, 3);

  const lines = (await bonebox('bake', '--json', '-o', join(folder, 'out'), folder)).trim().split('\n').map((line) => JSON.parse(line));
  const baked = new Map(lines.filter(({ character }) => character?.shared).map(({ character, path }) => [basename(path, '.glb'), character]));
  assert.equal(baked.size, 3);
  const shown = await rows(page);
  assert.deepEqual(shown.map(([name]) => name), ['bruno', 'runa', 'runa_plain']);
  for (const [name, outside, escape, volume] of shown) {
    const { shared, surface_clips: clips, surface_rest: rest } = baked.get(name);
    assert.equal(outside, `${(100 * (1 - (clips ?? rest))).toFixed(1)} %`, name);
    assert.equal(volume, `${(100 * shared.volume_ratio).toFixed(0)} %`, name);
    assert.match(escape, /\d %$/);
  }

  // All characters are in the pose of the character on the page.
  const placed = await corners(page);
  const listed = (await ask('api/listing')).characters.map(({ name }) => name);
  const expected = async (name, clip) => ask(`api/pose?id=${listed.indexOf(name)}&clip=${clip}&time=0.25`);
  assert.ok(difference(placed['runa'], await expected('runa', 'jab')) < 1e-5);
  assert.ok(difference(placed['runa_plain'], placed['runa']) < 1e-5, 'the same skeleton without clips has the same pose');
  assert.ok(difference(placed['runa_plain'], await expected('runa_plain', '')) > 0.1, 'and not the rest pose');
  // Bruno has other proportions, so his joints turn as hers do, each from its own rest pose.
  const most = await page.evaluate(() => {
    const [bruno, runa] = ['bruno', 'runa'].map((name) => window.bonebox.page.shared.members.find((member) => member.name === name).loaded.actor);
    const turned = (actor, joint) => {
      const { quaternion } = actor.bones[joint];
      return quaternion.clone().set(...actor.rest[joint].r).invert().multiply(quaternion);
    };
    // Near 0, the distance of two quaternions is half the angle between them.
    const angle = (a, b) => 2 * Math.min(...[1, -1].map((sign) => Math.hypot(a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w)));
    return Math.max(...bruno.bones.map(({ name }, joint) => angle(turned(bruno, joint), turned(runa, runa.jointNamed(name)))));
  });
  assert.ok(most < 1e-4, `${most} radians`);
  await page.selectOption('#clip', '');
  assert.ok(difference((await corners(page))['bruno'], await expected('bruno', '')) < 1e-5, 'and so is his rest pose');
  await page.selectOption('#clip', { label: 'jab' });
  await page.click('.play');
  await page.locator('.track input').fill('0.25');

  // Over each other, the skins have colors of their own, and the hitboxes are drawn once.
  const looks = () => page.evaluate(() => window.bonebox.picture.actors.map(({ display }) => [display.boxes, display.surface, display.tint ?? null]));
  const overlay = await looks();
  assert.deepEqual(overlay.map(([boxes, surface]) => [boxes, surface]), [['solid', 'ghost'], ['off', 'ghost'], ['off', 'ghost']]);
  assert.equal(new Set(overlay.map(([, , tint]) => tint)).size, 3);
  await page.screenshot({ path: join(SHOTS, 'shared.png') });
  await page.click('tr[data-joint=head]');
  assert.deepEqual(await page.evaluate(() => window.bonebox.picture.actors.map((actor) => actor.selected !== null)), [true, false, false]);
  await page.keyboard.press('Escape');
  await page.click('[data-member=bruno]');
  await all(page, 2);
  assert.deepEqual(Object.keys(await corners(page)), ['runa', 'runa_plain']);
  assert.equal((await looks())[0][0], 'solid', 'the next character has the hitboxes');
  await page.click('[data-key="layout=side by side"]');
  await settled(page);
  assert.deepEqual(await page.locator('.view-title strong').allTextContents(), ['runa', 'runa_plain']);
  assert.deepEqual(await looks(), Array(2).fill(['solid', 'textured', null]));
  await page.screenshot({ path: join(SHOTS, 'shared-beside.png') });

  // A reload shows the same.
  const seen = async () => [await page.locator('.view-title strong').allTextContents(), await page.evaluate(() => window.bonebox.page.mode)];
  const before = await seen();
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.mode === 'shared');
  await all(page, 2);
  assert.deepEqual(await seen(), before);
  assert.deepEqual((await rows(page)).length, 3);
  assert.deepEqual(errors, []);
  await page.close();
});

test('the picture follows the files of all characters, and ends with the set', async () => {
  const { page, errors } = await open(chrome.context, `${server.address}#character=runa.glb&view=shared`);
  await page.waitForFunction(() => window.bonebox.page.mode === 'shared');
  await all(page, 3);
  const volume = async (name) => (await rows(page)).find(([first]) => first === name)[3];
  const before = await volume('runa');
  // Bruno is the thicker one: if he looks like Runa, her hitboxes are smaller.
  const bruno = readFileSync(join(folder, 'bruno.glb'));
  writeFileSync(join(folder, 'bruno.glb'), readFileSync(join(folder, 'runa.glb')));
  await page.waitForFunction((before) => ![...document.querySelectorAll('table.shared tr')].some(({ textContent }) => textContent.includes(before)), before);
  await settled(page);
  assert.ok(parseFloat(await volume('runa')) < parseFloat(before), await volume('runa'));
  // In place of a character that shares nothing, the page shows its hitboxes.
  await choose(page, 'hound');
  assert.equal(await page.evaluate(() => window.bonebox.page.mode), 'boxes');
  await choose(page, 'runa');
  await page.click('[data-value=shared]');
  await all(page, 3);
  writeFileSync(join(folder, 'bonebox.toml'), 'preset = "cover"\n');
  await page.waitForFunction(() => window.bonebox.page.mode === 'boxes');
  await settled(page);
  assert.equal(await page.locator('[data-value=shared]').count(), 0);
  assert.deepEqual(errors, []);
  await page.close();
  writeFileSync(join(folder, 'bruno.glb'), bruno);
  writeFileSync(join(folder, 'bonebox.toml'), SET);
});
