// The page at the sizes of real screens: bars in one row, facts in sight, large figures; keyboard and contrast.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, folderWith, open, serve, settled } from './browser.js';
import { lowContrast } from './contrast.js';

const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const SIZES = [[1280, 720], [1440, 900], [2560, 1440], [390, 844]];
const PHONE = 390;

let chrome;
let server;
let folder;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('runa.glb', 'hound.glb');
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const show = async (page, name) => {
  await page.selectOption('#character', { label: `${name} (${name}.glb)` });
  await page.waitForFunction((name) => window.bonebox.page.name === name && window.bonebox.page.bake !== null, name);
  await settled(page);
};

/** Waits for the figures of the selected joint, because the panel changes when they arrive. */
const measured = async (page) => {
  await page.waitForFunction(() => {
    const { mode, editor } = window.bonebox.page;
    return mode !== 'edit' || editor.selected.every(({ joint }) => editor.figures.has(joint));
  });
  await settled(page);
};

/** Checks that the facts of a joint and its row are both inside the panel, and that the facts do not cover the row. */
const inSight = async (page, joint, what) => {
  assert.equal(await page.locator('.in-sight h2').textContent(), joint, what);
  const [panel, facts, row, title] = await page.evaluate((joint) => ['aside', '.in-sight', `tr[data-joint=${joint}]`, '.in-sight h2'].map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON()), joint);
  assert.ok(title.top >= panel.top - 1 && title.bottom <= panel.bottom + 1, `${what}: the facts of ${joint} are in the panel`);
  assert.ok(row.top >= facts.bottom - 1 && row.bottom <= panel.bottom + 1, `${what}: the row of ${joint} is in sight, ${JSON.stringify([facts, row, panel])}`);
};

for (const [width, height] of SIZES) {
  test(`at ${width} × ${height}, bars have one row, and what is clicked stays in sight`, async () => {
    const { page, errors } = await open(chrome.context, server.address);
    await page.setViewportSize({ width, height });
    await show(page, 'runa');
    for (const mode of ['boxes', 'edit', 'compare', 'duel']) {
      await page.click(`[data-value=${mode}]`);
      await settled(page);
      const [header, display, body] = await page.evaluate(() =>
        ['header', '.display-bar', 'body'].map((selector) => {
          const element = document.querySelector(selector);
          const tops = [...element.children].filter((child) => child.offsetHeight > 0).map((child) => child.getBoundingClientRect());
          return { needs: element.scrollWidth, has: element.clientWidth, height: element.offsetHeight, rows: Math.max(...tops.map(({ top }) => top)) - Math.min(...tops.map(({ bottom }) => bottom)) };
        }),
      );
      for (const bar of [header, display]) {
        assert.ok(bar.rows < 0 && bar.height < 60, `${mode}: one row, ${JSON.stringify(bar)}`);
        if (width > PHONE) assert.ok(bar.needs <= bar.has, `${mode}: it has room, ${JSON.stringify(bar)}`);
      }
      assert.ok(body.needs <= width, `${mode}: the page is ${body.needs} pixels wide`);
    }
    // A row far below, and then a hitbox in the picture.
    for (const mode of ['boxes', 'edit']) {
      await page.click(`[data-value=${mode}]`);
      await settled(page);
      const joints = await page.locator('table.boxes tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.joint));
      const last = joints.at(-1);
      await page.locator(`tr[data-joint=${last}]`).click();
      await measured(page);
      await inSight(page, last, `${mode}, row`);
      await page.keyboard.press('Escape');
      await page.click('[data-view=front]');
      await settled(page);
      const thigh = await page.evaluate(() => {
        const { stage, page } = window.bonebox;
        const { corners } = page.first.actor.corners().find(({ joint }) => joint === 'thigh_l');
        const at = [0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 8);
        const point = page.first.actor.root.position.clone().set(...at).project(stage.camera.view);
        const { left, top, width, height } = stage.canvas.getBoundingClientRect();
        return { x: left + ((point.x + 1) / 2) * width, y: top + ((1 - point.y) / 2) * height };
      });
      await page.mouse.click(thigh.x, thigh.y);
      await measured(page);
      await inSight(page, await page.locator('.in-sight h2').textContent(), `${mode}, picture`);
      if (mode === 'boxes') assert.match(await page.locator('.in-sight .facts').textContent(), /\d (mm|cm|m);/, 'sizes are in meters');
      await page.screenshot({ path: join(SHOTS, `layout-${mode}-${width}.png`) });
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(errors, []);
    await page.close();
  });

  test(`at ${width} × ${height}, the figures of a comparison fill their views`, async () => {
    const { page, errors } = await open(chrome.context, server.address);
    await page.setViewportSize({ width, height });
    for (const name of ['runa', 'hound']) {
      await show(page, name);
      await page.click('[data-value=compare]');
      await page.waitForFunction(() => ['recipe', 'tight', 'cover'].every((key) => window.bonebox.page.comparison.column(key).loaded));
      await settled(page);
      const filled = await page.evaluate(() => {
        const { stage, picture } = window.bonebox;
        return picture.actors.map((actor) => {
          const points = actor.corners().flatMap(({ corners }) => corners.map((corner) => actor.root.position.clone().set(...corner).project(stage.camera.view)));
          const size = (axis) => (Math.max(...points.map((point) => point[axis])) - Math.min(...points.map((point) => point[axis]))) / 2;
          return [size('x'), size('y')];
        });
      });
      assert.equal(filled.length, 3);
      for (const [x, y] of filled) assert.ok(Math.max(x, y) > 0.7, `${name} takes ${x.toFixed(2)} of the width and ${y.toFixed(2)} of the height`);
      await page.screenshot({ path: join(SHOTS, `layout-compare-${name}-${width}.png`) });
      await page.click('[data-value=boxes]');
      await settled(page);
    }
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test('many hitboxes get a line that makes fewer', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await show(page, 'runa');
  assert.equal(await page.locator('[data-proposal=fewer]').count(), 0, 'half a hundred are not many');
  await page.click('[data-value=compare]');
  await page.waitForFunction(() => window.bonebox.page.comparison.column('tight').loaded);
  await page.selectOption('#focus', 'tight');
  const line = page.locator('[data-proposal=fewer]');
  await line.waitFor();
  assert.equal(await line.locator('.snippet').textContent(), '[characters.runa]\nparts = "humanoid"');
  assert.match(await line.textContent(), /10\d hitboxes are many/);
  assert.deepEqual(errors, []);
  await page.close();
});

test('every control is reached by the keyboard', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await show(page, 'runa');
  for (const mode of ['boxes', 'edit']) {
    await page.click(`[data-value=${mode}]`);
    await page.locator('tr[data-joint=head]').click();
    await measured(page);
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll('button, select, input, summary, tr[tabindex], [role=separator]')];
      const isSeen = (element) => element.getClientRects().length > 0 && !element.disabled && element.closest('dialog:not([open])') === null;
      return all.filter(isSeen).map((element, number) => (element.dataset.tested = String(number)));
    });
    const reached = new Set();
    await page.locator('#character').focus();
    for (let step = 0; step < wanted.length; step++) {
      const now = await page.evaluate(() => document.activeElement?.dataset?.tested ?? null);
      if (now !== null) reached.add(now);
      await page.keyboard.press('Tab');
    }
    const missed = await page.evaluate((reached) => [...document.querySelectorAll('[data-tested]')].filter((each) => !reached.includes(each.dataset.tested)).map((each) => each.outerHTML.slice(0, 120)), [...reached]);
    assert.deepEqual(missed, [], mode);
    await page.evaluate(() => document.querySelectorAll('[data-tested]').forEach((each) => delete each.dataset.tested));
  }
  // Commands by keys alone: select in the table, add with Shift, merge.
  const row = (joint) => page.locator(`tr[data-joint=${joint}]`);
  await page.keyboard.press('Escape');
  await row('head').press('Enter');
  await row('neck_01').press('Shift+Enter');
  await page.locator('[data-edit=Merge]').press('Enter');
  assert.equal(await row('neck_01').count(), 0);
  await page.keyboard.press('Control+z');
  assert.equal(await row('neck_01').count(), 1);
  assert.deepEqual(errors, []);
  await page.close();
});

test('texts have the contrast of WCAG AA in both themes', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await show(page, 'runa');
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    for (const mode of ['boxes', 'edit', 'compare', 'duel']) {
      await page.click(`[data-value=${mode}]`);
      await settled(page);
      if (mode === 'edit') {
        await page.keyboard.press('Escape');
        await page.locator('tr[data-joint=head]').click();
        await page.fill('#edit-size-x', theme === 'light' ? '0.31' : '0.32');
        await page.keyboard.press('Enter');
        await settled(page);
      }
      if (mode === 'compare') await page.evaluate(() => (document.querySelector('.own').open = true));
      const low = await lowContrast(page);
      assert.deepEqual(low, [], `${theme}, ${mode}`);
    }
  }
  assert.deepEqual(errors, []);
  await page.close();
});
