// How quick the page is: frames of playing clips, first picture, switching, and saved settings. What a machine does besides
// bears on all times, so that they are printed, and only bounds are checked that nothing but a mistake exceeds.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, folderWith, open, serve, settled } from './browser.js';
import { processorTimes } from './processes.js';

let chrome;
let server;
let folder;

before(async () => {
  folder = folderWith('bruno.glb', 'runa.glb');
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const SECONDS = 2;

/** Frames a second that are drawn while something plays, and the processor's milliseconds for each by kind of process. */
async function measured(page) {
  if (!(await page.evaluate(() => window.bonebox.page.playback.playing))) await page.click('.play');
  // The first frames compile shaders, and find out how quick the machine is.
  await page.waitForTimeout(1000);
  const before = processorTimes();
  const { frames, seconds } = await page.evaluate(async (seconds) => {
    const { stage } = window.bonebox;
    const draw = stage.draw;
    let frames = 0;
    stage.draw = function (...all) {
      const drawn = draw.apply(this, all);
      if (drawn) frames++;
      return drawn;
    };
    const begin = performance.now();
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    delete stage.draw;
    return { frames, seconds: (performance.now() - begin) / 1000 };
  }, SECONDS);
  const after = processorTimes();
  const each = (kind) => ((after[kind] ?? NaN) - (before[kind] ?? NaN)) / frames;
  return { rate: frames / seconds, gpu: each('gpu-process'), renderer: each('renderer') };
}

/** The scene, and the same page with nothing in it. */
async function compared(page) {
  const scene = await measured(page);
  const setVisible = (visible) => page.evaluate((visible) => (window.bonebox.stage.scene.visible = visible), visible);
  await setVisible(false);
  const empty = await measured(page);
  await setVisible(true);
  return { scene, empty };
}

const CASES = [
  { name: 'a character', prepare: async () => {} },
  { name: 'a character in clay', prepare: (page) => page.click('[data-key="mesh=clay"]') },
  { name: 'what is outside', prepare: (page) => page.click('[data-key="mesh=outside"]') },
  {
    name: 'a duel',
    prepare: async (page) => {
      await page.click('[data-key="mesh=textured"]');
      await page.click('[data-value=duel]');
      await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
      await page.selectOption('#clip-a', 'jab');
      await settled(page);
    },
  },
];

/** The most milliseconds that a frame may take of the processor's time; before the page had shaders of its own, it was 151. */
const MOST_GPU = 300;

test('clips play fluently without a graphics card', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.selectOption('#clip', { label: 'walk' });
  for (const { name, prepare } of CASES) {
    await prepare(page);
    const { scene, empty } = await compared(page);
    const told = ({ rate, gpu, renderer }) => `${rate.toFixed(1)} frames a second, ${gpu.toFixed(0)} + ${renderer.toFixed(0)} ms of GPU process and renderer for each`;
    console.log(`# ${name}: ${told(scene)}; empty scene: ${told(empty)}`);
    assert.ok(scene.rate > 0.5, `${name}: ${scene.rate} frames a second`);
    assert.ok(!(scene.gpu > MOST_GPU), `${name}: ${scene.gpu} ms`);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('the first picture comes soon, and so does another mode', async () => {
  // Once, so that the browser and the server are warm.
  await (await open(chrome.context, server.address)).page.close();
  const begin = performance.now();
  const page = await chrome.context.newPage();
  await page.goto(server.address);
  await page.waitForFunction(() => window.bonebox?.stage.views.length > 0);
  const seen = performance.now() - begin;
  await page.waitForFunction(() => window.bonebox.page.bake);
  const boxed = performance.now() - begin;
  await settled(page);
  const switched = {};
  for (const mode of ['duel', 'compare', 'boxes']) {
    const begin = performance.now();
    await page.click(`[data-value=${mode}]`);
    await page.waitForFunction((mode) => {
      const { stage, page } = window.bonebox;
      return mode === 'duel' ? page.encounter.duel !== null : stage.views.every(({ actors }) => actors.length > 0) && stage.views.length === (mode === 'compare' ? 3 : 1);
    }, mode);
    switched[mode] = Math.round(performance.now() - begin);
  }
  console.log(`# the character after ${seen.toFixed(0)} ms, its hitboxes after ${boxed.toFixed(0)} ms; ${JSON.stringify(switched)} ms`);
  for (const [what, time] of Object.entries({ boxed, ...switched })) assert.ok(time < 60_000, `${what}: ${time} ms`);
  await page.close();
});

test('saved settings are seen soon', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  const [times, used] = [[], []];
  for (const margin of [0.01, 0.02, 0.03]) {
    await page.waitForTimeout(1100);
    const [begin, before] = [performance.now(), processorTimes()];
    writeFileSync(join(folder, 'bonebox.toml'), `margin = ${margin}\n`);
    await page.waitForFunction((margin) => window.bonebox.page.bake.bake.options.margin === String(margin), margin);
    times.push(Math.round(performance.now() - begin));
    used.push(processorTimes()['bonebox'] - before['bonebox']);
    await settled(page);
  }
  console.log(`# from saved to new hitboxes: ${times.join(', ')} ms, ${used.join(', ')} ms of the server's processor time`);
  assert.ok(Math.min(...times) < 60_000, `${times} ms`);
  assert.deepEqual(errors, []);
  await page.close();
});
