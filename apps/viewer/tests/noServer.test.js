// The page of a report, which has no server: it bakes, plays a duel and casts rays in WebAssembly, and answers as the server does.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { bonebox, browser, folderWith, open, serve, settled } from './browser.js';

const PAGE = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
const HAS_BAKER = existsSync(join(PAGE, '..', 'baker.wasm.gz'));
const WITHOUT = HAS_BAKER ? false : 'SKIPPED: dist/baker.wasm.gz is missing; `cargo xtask web --build` and then `cargo xtask viewer` build it';

let chrome;
let server;
let folder;
let report;

before(async () => {
  folder = folderWith('runa.glb', 'bruno.glb');
  writeFileSync(join(folder, 'bonebox.toml'), '[characters.runa]\nmargin = 0.005\n[[characters.runa.clips.jab.attacks]]\nname = "fist"\nboxes = "hand_l"\nactive = [0.1, 0.4]\n');
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
  report = join(folder, 'report.html');
  await bonebox('report', folder, '--page', resolve(PAGE), '-o', report);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The answers of the source of a page. */
const ask = (page, method, ...values) => page.evaluate(([name, given]) => window.bonebox.page.source[name](...given), [method, values]);

test('a report bakes with other options, plays a duel and casts rays as the server does', { skip: WITHOUT }, async () => {
  const opened = await open(chrome.context, `file://${report}`);
  const served = await open(chrome.context, server.address);
  const asked = [];
  opened.page.on('request', (request) => /^(http|file)/.test(request.url()) && asked.push(request.url()));
  const both = async (method, ...values) => {
    const answers = await Promise.all([opened, served].map(({ page }) => ask(page, method, ...values)));
    return answers.map((answer) => JSON.parse(JSON.stringify(answer)));
  };
  const [own, theirs] = await both('bake', 0, { preset: 'recipe', margin: '0.02' });
  // Only the server knows the path of the settings file.
  assert.deepEqual({ ...own, settings: theirs.settings }, theirs);
  const duel = { a: 0, b: 1, clipA: 'jab', clipB: 'idle', distance: 0.7, turn: 0, fps: 30, exact: false };
  assert.deepEqual(...(await both('duel', duel)));
  const ray = { id: 0, clip: 'jab', time: 0.3, origin: [0, 1, 3], direction: [0, 0, -1], opposite: null };
  const [hit, same] = await both('ray', ray, {});
  assert.ok(hit.is_skin);
  assert.deepEqual(hit, same);
  assert.deepEqual(asked, [], 'nothing is asked for');
  assert.deepEqual(opened.errors, []);
  await Promise.all([opened, served].map(({ page }) => page.close()));
});

test('a person plays a duel, casts a ray and compares own options in a report', { skip: WITHOUT }, async () => {
  const { page, errors } = await open(chrome.context, `file://${report}`);
  await page.click('[data-value=duel]');
  await settled(page);
  assert.ok((await page.evaluate(() => window.bonebox.page.encounter.duel.ticks.length)) > 1);
  await page.click('[data-value=boxes]');
  await settled(page);
  await page.check('#rays');
  const box = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => window.bonebox.rayTool.shown !== null);
  assert.ok(await page.evaluate(() => window.bonebox.rayTool.shown.answer.is_skin));
  await page.click('[data-value=compare]');
  await settled(page);
  await page.click('details.own summary');
  await page.fill('#option-margin', '0.03');
  await page.press('#option-margin', 'Enter');
  await page.waitForFunction(() => window.bonebox.page.comparison.column('yours').loaded !== null);
  assert.equal(await page.evaluate(() => window.bonebox.page.comparison.column('yours').loaded.bake.bake.options.margin), '0.03');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a .glb that is dropped on a report becomes a character', { skip: WITHOUT }, async () => {
  const { page, errors } = await open(chrome.context, `file://${report}`);
  const drop = (name, bytes) =>
    page.evaluate(
      ([file, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], file));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, bytes.toString('base64')],
    );
  await drop('hound.glb', readFileSync(join(process.env.BONEBOX_ASSETS ?? '../../assets', 'hound.glb')));
  await page.waitForFunction(() => window.bonebox.page.name === 'hound' && window.bonebox.page.bake?.bake.name === 'hound');
  await settled(page);
  assert.deepEqual(await page.locator('#character option').allTextContents(), ['bruno (bruno.glb)', 'runa (runa.glb)', 'hound (hound.glb)']);
  await drop('notes.txt', Buffer.from('no model'));
  await page.waitForFunction(() => document.querySelector('.message').textContent.includes('notes.txt is no .glb'));
  assert.deepEqual(errors, []);
  await page.close();
});

test('an edit in a report is a whole settings file, and the page says where it belongs', { skip: WITHOUT }, async () => {
  const deep = join(folder, 'heroes');
  mkdirSync(deep);
  copyFileSync(join(folder, 'runa.glb'), join(deep, 'runa.glb'));
  const own = join(deep, 'bonebox.toml');
  const above = readFileSync(join(folder, 'bonebox.toml'), 'utf8');
  for (const [settings, place] of [[null, '../bonebox.toml'], ['# ours\nfit = "min-volume"\n', 'bonebox.toml']]) {
    if (settings !== null) writeFileSync(own, settings);
    const file = join(folder, 'heroes.html');
    await bonebox('report', deep, '--page', resolve(PAGE), '-o', file);
    const { page, errors } = await open(chrome.context, `file://${file}`);
    await page.click('[data-value=edit]');
    await page.click('tr[data-joint=head]');
    await page.fill('#edit-size-x', '0.3');
    await page.press('#edit-size-x', 'Enter');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.unsaved .save')]);
    const text = readFileSync(await download.path(), 'utf8');
    // The text of the nearest file stays, and those of the other files are not in it.
    assert.ok(text.startsWith(settings ?? above) && text.includes('[[characters.runa.joints.head.boxes]]'), text);
    assert.ok(settings === null || !text.includes('attacks'), text);
    await page.locator('.note', { hasText: `put it in place of ${place}, seen from the folder of the asset` }).waitFor();
    assert.deepEqual(errors, []);
    await page.close();
  }
  rmSync(deep, { recursive: true });
});

test('a report without the baker says so', async () => {
  // The page of a build without WebAssembly: the same, but its slot stays empty.
  const html = readFileSync(report, 'utf8').replace(/(<script id="baker" type="text\/plain">)[^<]*/, '$1');
  const without = join(folder, 'without.html');
  writeFileSync(without, html);
  const { page, errors } = await open(chrome.context, `file://${without}`);
  assert.deepEqual(await page.locator('[data-value=duel]').count(), 0);
  await page.click('[data-value=compare]');
  await settled(page);
  assert.ok((await page.locator('aside, .aside, body').first().textContent()).includes('written without the baker'));
  assert.deepEqual(errors, []);
  await page.close();
});
