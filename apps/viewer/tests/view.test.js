// `cargo xtask view-test`: the page in headless Chromium, driven by real clicks, against the program's own answers.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bonebox, browser, difference, open, serve, settled } from './browser.js';

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
const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
const corners = (page) => page.evaluate(() => window.bonebox.corners());

test('boxes stand where the run time puts them, at rest and in every clip', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await shot(page, 'boxes');
  for (let id = 0; id < 3; id++) {
    await page.selectOption('#character', String(id));
    await page.waitForFunction((id) => window.bonebox.index === id, id);
    await settled(page);
    const height = await page.evaluate(() => window.bonebox.height);
    const rest = await corners(page);
    assert.ok(rest[0].length > 20, 'a character has boxes');
    assert.ok(difference(rest[0], await ask(`api/pose?id=${id}`)) < 1e-5 * height);
    for (const [index, clip] of (await page.evaluate(() => window.bonebox.clips)).entries()) {
      await page.selectOption('#clip', String(index));
      await page.evaluate(() => window.bonebox.play(false));
      for (const time of [0, 0.137, 0.5]) {
        await page.evaluate((time) => window.bonebox.seek(time), time);
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
    await page.evaluate((id) => window.bonebox.open(id), id);
    await settled(page);
    const height = await page.evaluate(() => window.bonebox.height);
    const rest = difference((await corners(page))[0], await ask(`api/pose?id=${id}`));
    assert.ok(rest < 1e-5 * height, `${file} at rest: ${rest} of ${height}`);
    const clips = await page.evaluate(() => window.bonebox.clips);
    if (clips.length === 0) continue;
    const last = clips.length - 1;
    const time = await page.evaluate((clip) => (window.bonebox.setClip(clip), window.bonebox.seek(0.3), window.bonebox.time), last);
    const expected = await ask(`api/pose?id=${id}&clip=${encodeURIComponent(clips[last])}&time=${time}`);
    const posed = difference((await corners(page))[0], expected);
    assert.ok(posed < 1e-5 * height, `${file}, ${clips[last]} at ${time} s: ${posed} of ${height}`);
  }
  assert.deepEqual(errors, []);
  await page.close();
  real.stop();
});

test('clips play, pause and are scrubbed', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.selectOption('#clip', { label: 'walk' });
  const before = await corners(page);
  await page.waitForFunction(() => window.bonebox.time > 0.2);
  assert.ok(difference(before[0], (await corners(page))[0]) > 0.01, 'it moves');
  await page.click('.play');
  const stopped = await page.evaluate(() => window.bonebox.time);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.bonebox.time), stopped);
  await page.locator('.track input').fill('0.5');
  assert.equal(await page.evaluate(() => window.bonebox.time), 0.5);
  await page.keyboard.press('b');
  assert.equal(await page.evaluate(() => window.bonebox.display.boxes), 'wire');
  await page.keyboard.press('b');
  await page.keyboard.press('n');
  await settled(page);
  assert.ok((await page.locator('.labels span').count()) > 20, 'names of joints are shown');
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
  const fills = await page.locator('table.boxes tbody tr td:nth-child(2)').allTextContents();
  const numbers = fills.filter((text) => text !== 'flat').map(parseFloat);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b), 'the worst come first');
  assert.deepEqual(errors, []);
  await page.close();
});

test('other options stand beside the default', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=compare]');
  await page.selectOption('#option-fit', 'joint-axes');
  await page.waitForFunction(() => window.bonebox.otherBake?.bake.options.fit === 'joint-axes');
  await settled(page);
  const [left, right] = await corners(page);
  assert.ok(difference(left, right) > 0.001, 'the boxes differ');
  await shot(page, 'compare');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a duel has the pairs of bonebox duel --json', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.duel !== null);
  await page.selectOption('#other', { label: 'runa' });
  await settled(page);
  await page.selectOption('#clip-a', 'jab');
  await settled(page);
  await page.selectOption('#clip-b', 'guard');
  await settled(page);
  await page.locator('#duel-distance').fill('0.9');
  await page.locator('#duel-distance').blur();
  await page.waitForFunction(() => window.bonebox.duelSettings.distance === 0.9);
  await settled(page);
  const flags = ['--clip-a', 'jab', '--clip-b', 'guard', '--distance', '0.9', '--fps', '30', '--json'];
  const printed = await bonebox('duel', join(folder, 'bruno.glb'), join(folder, 'runa.glb'), ...flags);
  const lines = printed.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(await page.evaluate(() => window.bonebox.duel.ticks), lines);
  const contact = lines.findIndex((tick) => tick.pairs.length > 0);
  assert.ok(contact > 0, 'they touch, but not from the start');
  await page.click('.bookmark');
  await settled(page);
  assert.equal(await page.evaluate(() => window.bonebox.tick.tick), contact);
  const shown = await page.locator('table.pairs tbody tr').evaluateAll((rows) =>
    rows.map((row) => [row.cells[0].textContent, row.cells[1].textContent]),
  );
  assert.deepEqual(shown, lines[contact].pairs.map(({ a, b }) => [a, b]));
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.equal(await page.evaluate(() => window.bonebox.tick.tick), contact + 1);
  await shot(page, 'duel');
  await page.keyboard.press('t');
  await settled(page);
  await shot(page, 'duel-dark');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a saved file is baked anew, a broken one is told of, and the old boxes stay', async () => {
  const { page } = await open(chrome.context, server.address);
  await page.selectOption('#character', '1');
  await settled(page);
  const name = await page.evaluate(() => window.bonebox.bake.bake.name);
  await page.waitForTimeout(1500);
  writeFileSync(join(folder, `${name}.glb`), 'no glb');
  await page.locator('.message[data-kind=error]').waitFor();
  await shot(page, 'error');
  assert.match(await page.locator('.message').textContent(), new RegExp(`${name}\\.glb`));
  assert.ok((await corners(page))[0].length > 20);
  copyFileSync(join(ASSETS, 'runa.glb'), join(folder, `${name}.glb`));
  await page.waitForFunction(() => document.querySelector('.message').textContent === '');
  copyFileSync(join(ASSETS, `${name}.glb`), join(folder, `${name}.glb`));
  await page.close();
});

test('a report needs no server', async () => {
  const report = join(folder, 'report.html');
  const page = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
  await bonebox('report', join(folder, 'bruno.glb'), '--page', page, '-o', report);
  const opened = await open(chrome.context, `file://${report}`);
  const height = await opened.page.evaluate(() => window.bonebox.height);
  const found = difference((await corners(opened.page))[0], await ask('api/pose?id=0'));
  assert.ok(found < 1e-5 * height);
  await opened.page.selectOption('#clip', { label: 'jab' });
  await settled(opened.page);
  await shot(opened.page, 'report');
  assert.deepEqual(opened.errors, []);
  await opened.page.close();
});
