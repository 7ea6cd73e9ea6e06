// The page of a library, opened as a file: sorting, filtering, keyboard, contrast, phones, a character's own page, and a thousand rows.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { bonebox, browser, folderWith } from './browser.js';
import { lowContrast } from './contrast.js';

const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const PAGE = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
/** The page of a thousand characters that `cargo xtask library` makes. */
const THOUSAND = process.env.BONEBOX_LIBRARY;
const HOSTILE = '<img src=x onerror=alert(1)>';
const TURNED = '\u202eq"u\'o';
/** The most milliseconds until a thousand rows are on the screen. */
const MOST_LOAD = 2000;

let chrome;
let folder;
let index;

const git = (...args) => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder, stdio: 'pipe' });

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('runa.glb', 'hound.glb');
  await bonebox('bake', folder, '--quiet');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=base');
  for (const name of [HOSTILE, TURNED]) copyFileSync(join(folder, 'hound.glb'), join(folder, `${name}.glb`));
  writeFileSync(join(folder, 'bonebox.toml'), '[characters.runa]\npreset = "tight"\n[characters.hound.limits]\nmost_escape = 0.001\n');
  const out = join(folder, 'out');
  await bonebox('report', folder, '--index', '--base', 'HEAD', '--page', resolve(PAGE), '-o', out);
  index = `file://${out}/index.html`;
  chrome = await browser();
});

after(async () => {
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page, whose errors and requests to other places end up in `errors`. */
async function opened(address) {
  const page = await chrome.context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('dialog', (dialog) => errors.push(`dialog ${dialog.message()}`) && dialog.dismiss());
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || errors.push(request.url()));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(address);
  await page.waitForSelector('tbody tr');
  return { page, errors };
}

test('the script of the list has no mistakes of types', () => {
  const script = '../bonebox-cli/src/library/index/index.js';
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022', '--lib', 'ES2023,DOM,DOM.Iterable'];
  execFileSync('node_modules/.bin/tsc', ['--ignoreConfig', '--noEmit', '--allowJs', '--checkJs', ...strict, script], { stdio: 'inherit' });
});

const names = (page) => page.locator('tbody tr:not([hidden]) .who > :first-child').allTextContents();

test('the worst come first, and rows are sorted by name and by figures', async () => {
  const { page, errors } = await opened(index);
  assert.deepEqual((await names(page)).slice(0, 2), ['hound', 'runa'], 'a broken limit, a change, what is new');
  assert.match(await page.textContent('#counts'), /^4 of 4 shown, 1 outside limits or not baked, 3 different from HEAD/);
  await page.click('thead [data-key=boxes] button');
  const boxes = async () => (await page.locator('td[data-label=hitboxes]').allTextContents()).map((text) => parseInt(text, 10));
  const up = await boxes();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  assert.equal(await page.getAttribute('thead [data-key=boxes]', 'aria-sort'), 'ascending');
  await page.click('thead [data-key=boxes] button');
  assert.deepEqual(await boxes(), [...up].sort((a, b) => b - a));
  await page.click('thead [data-key=name] button');
  const sorted = await names(page);
  assert.deepEqual(sorted, [...sorted].sort(new Intl.Collator(undefined, { numeric: true }).compare));
  // A reload shows the same.
  await page.reload();
  assert.deepEqual(await names(page), sorted);
  assert.deepEqual(errors, []);
  await page.close();
});

test('rows are found by words, and by what is wrong or different', async () => {
  const { page, errors } = await opened(index);
  await page.keyboard.press('/');
  await page.keyboard.type('RUNA tight');
  assert.deepEqual(await names(page), ['runa'], 'words of the name and of a change');
  await page.fill('#find', 'nothing at all');
  assert.deepEqual(await names(page), []);
  assert.ok(await page.isVisible('#nothing'));
  await page.fill('#find', '');
  for (const [value, expected] of [['wrong', ['hound']], ['changed', ['runa']], ['added', [HOSTILE, TURNED]]]) {
    await page.selectOption('#show', value);
    assert.deepEqual((await names(page)).sort(), expected, value);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('names are text', async () => {
  const { page, errors } = await opened(index);
  assert.ok((await names(page)).includes(HOSTILE) && (await names(page)).includes(TURNED));
  assert.equal(await page.locator('img[src=x]').count(), 0);
  // A mark of the direction in a name does not turn the figures around it.
  const row = page.locator('tbody tr', { hasText: TURNED });
  assert.equal(await row.locator('.who > a').evaluate((element) => getComputedStyle(element).unicodeBidi), 'isolate');
  assert.deepEqual(errors, []);
  await page.close();
});

test('all pictures are there, and small', async () => {
  const { page, errors } = await opened(index);
  const widths = await page.locator('.picture img').evaluateAll((images) => Promise.all(images.map((image) => image.decode().then(() => image.naturalWidth))));
  assert.deepEqual(widths, [84, 84, 84, 84]);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a row opens the page of its character, and the way back keeps the list', async () => {
  const { page, errors } = await opened(index);
  await page.selectOption('#show', 'changed');
  await page.click('tbody tr:not([hidden]) .who > a');
  await page.waitForFunction(() => window.bonebox?.page.bake !== null && window.bonebox?.page.bake !== undefined);
  await page.waitForFunction(() => document.querySelector('.message')?.textContent === '');
  assert.equal(await page.evaluate(() => window.bonebox.page.name), 'runa');
  assert.equal(await page.evaluate(() => window.bonebox.page.bake.bake.options.preset), 'tight');
  assert.ok(await page.evaluate(() => window.bonebox.page.first.model.meshes.length > 0));
  await page.screenshot({ path: join(SHOTS, 'library-character.png') });
  await page.goBack();
  assert.deepEqual(await names(page), ['runa']);
  assert.deepEqual(errors, []);
  await page.close();
});

/** The library of three characters, of which two share their hitboxes, or of one of them. */
async function sharedLibrary(...paths) {
  const folder = folderWith('runa.glb', 'bruno.glb', 'hound.glb');
  const set = '[[shared]]\nname = "fighter"\ncharacters = ["runa", "bruno"]\n';
  writeFileSync(join(folder, 'bonebox.toml'), `parts = "humanoid"\nmeasure = "rest"\n[characters.bruno]\nragdoll = true\n${set}`);
  await bonebox('report', ...paths.map((path) => join(folder, path)), '--index', '--page', resolve(PAGE), '-o', join(folder, 'out'));
  return folder;
}

/** Opens the page of a character of a library. */
async function character(folder, name) {
  const { page, errors } = await opened(`file://${folder}/out/index.html`);
  await page.click(`tbody tr .who > a:text-is("${name}")`);
  await page.waitForFunction((name) => window.bonebox?.page.name === name && Boolean(window.bonebox.page.bake), name);
  return { page, errors };
}

test('the page of a character shows the others that share its hitboxes', async () => {
  const folder = await sharedLibrary('.');
  const { page, errors } = await character(folder, 'runa');
  await page.click('[data-value=shared]');
  const both = () => page.waitForFunction(() => window.bonebox.picture.actors.length === 2);
  await both();
  const rows = async () => page.locator('table.shared tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual((await rows()).map(([name]) => name), ['bruno', 'runa']);
  assert.ok((await rows()).every((cells) => cells.length === 4 && /\d %$/.test(cells[1]) && /\d %$/.test(cells[3])), String(await rows()));
  await page.screenshot({ path: join(SHOTS, 'library-shared.png') });
  // The menu of characters has both. The other one falls, with the physics engine beside the page.
  await page.selectOption('#character', { label: 'bruno (bruno.glb)' });
  await page.waitForFunction(() => window.bonebox.page.name === 'bruno' && window.bonebox.page.bake?.bake.bodies?.length > 0);
  assert.ok((await page.evaluate(async () => (await window.bonebox.page.source.physics()).byteLength)) > 100_000);
  await page.click('[data-value=shared]');
  await both();
  await page.reload();
  await both();
  assert.deepEqual(errors, []);
  await page.close();

  // A page whose companion is gone says so, and shows the rest.
  const own = new URL(page.url()).searchParams.get('c');
  for (const file of readdirSync(join(folder, 'out/characters'))) if (!file.startsWith(own)) rmSync(join(folder, 'out/characters', file));
  const { page: without } = await character(folder, 'runa');
  await without.click('[data-value=shared]');
  await without.locator('table.shared', { hasText: 'Write it again with `bonebox report --index`' }).waitFor();
  assert.equal(await without.evaluate(() => window.bonebox.picture.actors.length), 1);
  await without.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the page of a character names those that share its hitboxes and are not in the library', async () => {
  const folder = await sharedLibrary('bruno.glb');
  const { page, errors } = await character(folder, 'bruno');
  assert.equal(await page.locator('[data-value=shared]').count(), 0);
  const facts = await page.textContent('aside');
  assert.match(facts, /the hitboxes of the set "fighter"\. Not on the page: runa\. A page of their folder shows all characters of the set\./);
  assert.deepEqual(errors, []);
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a page without its character says so', async () => {
  const page = await chrome.context.newPage();
  await page.goto(index.replace('index.html', 'character.html?c=../../x'));
  assert.match(await page.textContent('body'), /There is no data for this character/);
  await page.click('text=All characters');
  assert.ok(page.url().endsWith('index.html'));
  await page.close();
});

test('everything is reached by the keyboard', async () => {
  const { page, errors } = await opened(index);
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll('button, select, input, summary, a')].filter((element) => element.getClientRects().length > 0);
    return all.map((element, number) => (element.dataset.tested = String(number)));
  });
  const reached = new Set();
  for (let step = 0; step <= wanted.length; step++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.dataset?.tested));
  }
  assert.deepEqual(wanted.filter((number) => !reached.has(number)), []);
  // From the search by arrows to the second row, and into its page.
  await page.focus('#find');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), (await names(page))[1]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/character\.html/);
  assert.deepEqual(errors, []);
  await page.close();
});

test('texts have the contrast of WCAG AA in both themes', async () => {
  const { page, errors } = await opened(index);
  await page.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await lowContrast(page), [], colorScheme);
    await page.screenshot({ path: join(SHOTS, `library-${colorScheme}.png`) });
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('the list fits a phone', async () => {
  const { page, errors } = await opened(index);
  await page.setViewportSize({ width: 390, height: 844 });
  const [width, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(width <= seen, `${width} in ${seen}`);
  assert.ok(await page.locator('tbody tr:first-child td[data-label=escape]').isVisible());
  await page.selectOption('#sort', 'volume');
  await page.click('#direction');
  assert.equal(await page.getAttribute('#direction', 'aria-pressed'), 'true');
  await page.screenshot({ path: join(SHOTS, 'library-phone.png') });
  assert.deepEqual(errors, []);
  await page.close();
});

/** The page with a thousand rows, each with changes and warnings, and with a picture of its own. */
function multiplied() {
  const out = mkdtempSync(join(tmpdir(), 'bonebox-thousand-'));
  const from = join(folder, 'out');
  mkdirSync(join(out, 'pictures'));
  const html = readFileSync(join(from, 'index.html'), 'utf8');
  const [before, rest] = html.split(/(?<=<script id="data" type="application\/json">)/);
  const [json, ...after] = rest.split('</script>');
  const data = JSON.parse(json);
  const [runa] = data.rows.filter(({ name }) => name === 'runa');
  const pictures = readdirSync(join(from, 'pictures'));
  data.rows = Array.from({ length: 1000 }, (_, number) => {
    const key = number.toString(16).padStart(16, '0');
    copyFileSync(join(from, 'pictures', pictures[number % pictures.length]), join(out, 'pictures', `${key}.png`));
    const figures = runa.figures.map((figure) => ({ ...figure, value: figure.value * (1 + ((number * 7919) % 1000) / 1000) }));
    return { ...runa, key, name: `runa ${number}`, path: `assets/${number}/runa.glb`, figures };
  });
  writeFileSync(join(out, 'index.html'), [before, JSON.stringify(data).replaceAll('<', '\\u003c'), '</script>', after.join('</script>')].join(''));
  return out;
}

async function loadsQuickly(address) {
  const times = [];
  for (let run = 0; run < 3; run++) {
    const page = await chrome.context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    const begin = performance.now();
    await page.goto(address, { waitUntil: 'load' });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    times.push(performance.now() - begin);
    assert.equal(await page.locator('tbody tr').count(), 1000);
    const sorting = await page.evaluate(async () => {
      const begin = performance.now();
      document.querySelector('thead [data-key=volume] button').click();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - begin;
    });
    console.log(`# a thousand rows: ${times.at(-1).toFixed(0)} ms to load and draw, ${sorting.toFixed(0)} ms to sort`);
    await page.close();
  }
  // What else the machine does makes single runs slow.
  assert.ok(Math.min(...times) < MOST_LOAD, times.join());
}

test('a thousand rows load in two seconds', async () => {
  const out = multiplied();
  await loadsQuickly(`file://${out}/index.html`);
  rmSync(out, { recursive: true, force: true });
});

test('a thousand characters load in two seconds', { skip: THOUSAND ? false : 'SKIPPED: `cargo xtask library` makes a thousand characters' }, async () => {
  await loadsQuickly(`file://${resolve(THOUSAND)}/index.html`);
});
