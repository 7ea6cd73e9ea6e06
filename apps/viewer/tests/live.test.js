// A body tracker moves the player: `bonebox perform` sends what a tracker would.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, difference, documented, folderWith, open, serve, settled, start } from './browser.js';

const ASSETS = process.env.BONEBOX_ASSETS ?? '../../assets';
const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const FPS = 60;

let chrome;
let server;
let folder;
let listing;

const ask = async (question) => (await fetch(server.address + question)).json();
const number = (name) => listing.characters.findIndex((character) => character.name === name);
const touching = (page) => page.waitForFunction(() => window.bonebox.page.encounter.feed?.moment?.touches.length > 0);
const perform = (clip) => start('perform', join(ASSETS, 'runa.bonebox'), '--clip', clip, '--vmc', listing.tracker, '--fps', String(FPS));

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('bruno.glb', 'runa.glb', 'hound.glb');
  [chrome, server] = await Promise.all([browser(), serve(folder, '--live', '127.0.0.1:0')]);
  listing = await ask('api/listing');
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a tracker moves the player, what touches is lit and logged', async () => {
  const { page, errors } = await open(chrome.context, `${server.address}#view=live&character=runa.glb&other=bruno.glb&distance=0.65`);
  await page.locator('.tracker', { hasText: `Waiting for VMC packets on ${listing.tracker}` }).waitFor();
  await page.waitForFunction(() => window.bonebox.picture.actors.length === 2);
  const height = await page.evaluate(() => window.bonebox.page.height);
  const performer = perform('jab');
  await page.waitForFunction(() => window.bonebox.page.encounter.feed.moment.packets.all > 20);
  // `perform` sends the clip at multiples of 1/60 s: what is shown is one of those poses.
  const shown = await page.evaluate(() => window.bonebox.picture.actors[0].corners());
  let [nearest, farthest] = [Infinity, 0];
  for (let tick = 0; tick < 20 * FPS && nearest > 1e-3 * height; tick++) {
    const expected = await ask(`api/pose?id=${number('runa')}&clip=jab&time=${tick / FPS}`);
    nearest = Math.min(nearest, difference(shown, expected));
    farthest = Math.max(farthest, difference(shown, expected));
  }
  assert.ok(nearest < 1e-3 * height, `${nearest} from the nearest pose of the clip, ${farthest} from the farthest`);
  await touching(page);
  const [lit, touches] = await page.evaluate(() => {
    const { page, picture } = window.bonebox;
    const { cast, encounter } = page;
    picture.pose();
    const names = ({ model, actor }) => [...actor.lit].map((joint) => model.joints[joint].name).sort();
    const of = (side) => [...new Set(encounter.feed.moment.touches.map((touch) => touch[side]))].sort();
    return [[names(cast.first), names(cast.opponent)], [of('a'), of('b')]];
  });
  assert.deepEqual(lit, touches);
  await page.locator('tr[data-live]').first().waitFor();
  await page.locator('tr[data-live][data-lit=false]').first().waitFor();
  const [a, b, from, lasts] = await page.locator('tr[data-live][data-lit=false]').first().locator('td').allTextContents();
  assert.ok(a && b && / s$/.test(from) && / s$/.test(lasts), [a, b, from, lasts].join());
  assert.match(await page.locator('.tracker').textContent(), /^\d+ packets\/s on [\d.:]+; 0 lost, \d+ late, 0 damaged$/);
  await touching(page);
  await documented(page, join(SHOTS, 'live.png'), 'live');
  // The camera stays where it is when the distance changes, and they touch no more.
  const camera = await page.evaluate(() => window.bonebox.stage.camera.pose);
  await page.locator('#duel-distance').fill('3');
  await page.locator('#duel-distance').blur();
  await page.waitForFunction(() => window.bonebox.page.encounter.feed?.place?.[11] === 3 && window.bonebox.page.encounter.feed.moment?.touches.length === 0);
  assert.deepEqual(await page.evaluate(() => window.bonebox.stage.camera.pose), camera);
  performer.stop();
  // Bones that stop coming ease to the rest pose.
  const rest = await ask(`api/pose?id=${number('runa')}`);
  await page.waitForTimeout(2500);
  assert.ok(difference(await page.evaluate(() => window.bonebox.picture.actors[0].corners()), rest) < 1e-2 * height);
  await page.locator('.tracker', { hasText: /^0 packets/ }).waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

test('other modes leave the tracker, and pages that close make room', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  for (let round = 0; round < 10; round++) {
    await page.click('[data-value=live]');
    await page.waitForFunction(() => window.bonebox.page.encounter.feed?.moment);
    await page.click('[data-value=boxes]');
    await page.waitForFunction(() => window.bonebox.page.encounter.feed === null);
  }
  await page.selectOption('#clip', { label: 'walk' });
  await page.click('.play');
  await settled(page);
  const shown = await page.evaluate(() => (window.bonebox.clip.seek(0.3), window.bonebox.picture.actors[0].corners()));
  const expected = await ask(`api/pose?id=${number('bruno')}&clip=walk&time=0.3`);
  assert.ok(difference(shown, expected) < 1e-4, 'clips are played as before');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a character without hands and feet cannot be driven, and the page says so', async () => {
  const { page } = await open(chrome.context, server.address);
  await page.selectOption('#character', { label: 'hound (hound.glb)' });
  await page.waitForFunction(() => window.bonebox.page.name === 'hound' && window.bonebox.page.bake);
  await page.click('[data-value=live]');
  await page.locator('.message[data-kind=error]').waitFor();
  assert.match(await page.locator('.message').textContent(), /hound is not a humanoid that a body tracker can move; assign joints with --bone/);
  await page.close();
});
