// Attacks on the page: windows that are dragged and saved, strikes at which a duel freezes, and explained shots.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { bonebox, browser, documented, folderWith, open, serveIn, settled } from './browser.js';

const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';
const PAGE = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';

let chrome;
let server;
let folder;
let settings;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('runa.glb', 'bruno.glb', 'hound.glb', 'bonebox.toml');
  settings = join(folder, 'bonebox.toml');
  // The folder of the schema is not there.
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^#:schema.*\n/, ''));
  // In the folder, so that no picture shows where it is.
  [chrome, server] = await Promise.all([browser(), serveIn(folder, '.')]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const shot = async (page, name, picture = null) => {
  await settled(page);
  await documented(page, join(SHOTS, `${name}.png`), picture);
};

/** Opens the page on a clip of a character. */
const openOn = async (address, name, clip) => {
  const opened = await open(chrome.context, address);
  const { page } = opened;
  await page.selectOption('#character', { label: `${name} (${name}.glb)` });
  await page.waitForFunction((name) => window.bonebox.page.name === name && window.bonebox.page.bake !== null, name);
  await settled(page);
  await page.selectOption('#clip', { label: clip });
  await page.click('.play');
  return opened;
};

const bar = (page, row, index = 0) => page.locator(`.window-row[data-row="${row}"] .bar`).nth(index);

/** Drags a bar by seconds of the clip, held at a share of its width: 0 is the left edge, 1 the right edge. */
const drag = async (page, row, { index = 0, hold, by, keys = [] }) => {
  const [box, lanes] = [await bar(page, row, index).boundingBox(), await page.locator('.window-rows').boundingBox()];
  const seconds = await page.evaluate(() => window.bonebox.page.seconds);
  const x = box.x + Math.min(Math.max(hold * box.width, 2), box.width - 2);
  const y = box.y + box.height / 2;
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (0.5 * by * lanes.width) / seconds, y, { steps: 4 });
  await page.mouse.move(x + (by * lanes.width) / seconds, y, { steps: 4 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
};

const windowsOf = (page, key) => page.evaluate((key) => window.bonebox.page.windowRows.find((row) => row.key === key).active, key);
const near = (found, expected, most = 1e-4) =>
  assert.ok(found.flat(Infinity).every((x, i) => Math.abs(x - expected.flat(Infinity)[i]) < most), `${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);

test('the windows of a clip are bars, and hitboxes are colored while their window is open', async () => {
  const { page, errors } = await openOn(server.address, 'runa', 'jab');
  assert.deepEqual(await page.locator('.window-row').evaluateAll((lanes) => lanes.map((lane) => lane.dataset.row)), ['attack fist', 'attack arm']);
  const [left, box] = [await page.locator('.window-rows').boundingBox(), await bar(page, 'attack fist').boundingBox()];
  const seconds = await page.evaluate(() => window.bonebox.page.seconds);
  near([(box.x - left.x) / left.width, box.width / left.width], [0.15 / seconds, 0.2 / seconds], 0.005);
  const at = async (time) => {
    await page.evaluate((time) => window.bonebox.clip.seek(time), time);
    return page.evaluate(() => window.bonebox.page.first.actor.activeBoxes);
  };
  const { attacks } = await page.evaluate(() => window.bonebox.page.bake.bake);
  const both = attacks.filter(({ clip }) => clip === 'jab').flatMap(({ boxes }) => boxes).sort((a, b) => a - b);
  assert.ok(both.length > 10);
  assert.deepEqual(await at(0.14), []);
  assert.deepEqual(await at(0.15), both);
  assert.ok(await bar(page, 'attack fist').evaluate((bar) => bar.classList.contains('open')));
  await shot(page, 'windows', 'windows');
  assert.deepEqual(await at(0.35), both);
  assert.deepEqual(await at(0.36), []);
  await page.selectOption('#clip', { label: 'guard' });
  await page.click('.play');
  assert.deepEqual(await page.locator('.window-row').evaluateAll((lanes) => lanes.map((lane) => lane.dataset.row)), ['state 0']);
  await page.selectOption('#clip', { label: 'walk' });
  assert.ok(await page.locator('.windows').isHidden(), 'a clip without windows has no rows');
  assert.deepEqual(errors, []);
  await page.close();
});

test('bars and their edges are dragged, and saved into bonebox.toml', async () => {
  const text = readFileSync(settings, 'utf8');
  const { page, errors } = await openOn(server.address, 'runa', 'jab');
  const frame = await page.evaluate(() => window.bonebox.page.frame);
  const snapped = (time) => Math.round(time / frame) * frame;
  await drag(page, 'attack fist', { hold: 0, by: 0.04 });
  near(await windowsOf(page, 'attack fist'), [[snapped(0.19), 0.35]]);
  near([await page.evaluate(() => window.bonebox.page.time)], [snapped(0.19)], 1e-3);
  await drag(page, 'attack fist', { hold: 1, by: 0.09 });
  near(await windowsOf(page, 'attack fist'), [[snapped(0.19), snapped(0.44)]]);
  await drag(page, 'attack arm', { hold: 0.5, by: 0.07 });
  near(await windowsOf(page, 'attack arm'), [[snapped(0.22), snapped(0.22) + 0.2]]);
  assert.equal(await page.locator('.window-state .edit').count(), 2);
  assert.equal(readFileSync(settings, 'utf8'), text, 'nothing is written yet');
  await shot(page, 'windows-dragged');
  await page.click('.window-state .save');
  await page.waitForFunction(() => window.bonebox.page.windowEdits.note !== '');
  await settled(page);
  assert.match(await page.locator('.window-state').textContent(), /saved in .*bonebox\.toml, in the section of "\*run\*"/);
  const [fist, arm] = [await windowsOf(page, 'attack fist'), await windowsOf(page, 'attack arm')];
  const after = readFileSync(settings, 'utf8');
  const written = (window) => `[${window.map((x) => Number(x.toFixed(4))).join(', ')}]`;
  let number = 0;
  const expected = text.replace(/active = \[0\.15, 0\.35\]/g, () => `active = ${written([fist, arm][number++][0])}`);
  assert.equal(after, expected, 'only the numbers have changed');
  const baked = await page.evaluate(() => window.bonebox.page.bake.bake.attacks.filter(({ clip }) => clip === 'jab').map(({ active }) => active));
  near(baked, [fist, arm]);
  near([fist[0][0], arm[0][1]], [snapped(0.19), snapped(0.22) + 0.2]);

  // With Alt, a time may be between frames. A bar stays within its clip.
  await drag(page, 'attack fist', { hold: 0, by: 0.013, keys: ['Alt'] });
  const [[from]] = await windowsOf(page, 'attack fist');
  assert.ok(Math.abs(from - fist[0][0] - 0.013) < 0.003 && Math.abs(from - snapped(from)) > 1e-3, `${from}`);
  const end = await page.evaluate(() => window.bonebox.page.seconds);
  await drag(page, 'attack arm', { hold: 0.5, by: 5 });
  near([(await windowsOf(page, 'attack arm'))[0][1]], [end], 1e-3);
  // A reload does not lose what is not saved.
  const unsaved = [await windowsOf(page, 'attack fist'), await windowsOf(page, 'attack arm')];
  const reload = async () => {
    await page.waitForTimeout(500);
    await page.reload();
    await page.waitForFunction(() => window.bonebox?.page.bake && window.bonebox.page.clipName === 'jab');
    await settled(page);
  };
  await reload();
  near([await windowsOf(page, 'attack fist'), await windowsOf(page, 'attack arm')], unsaved);
  assert.match(await page.locator('.window-state').textContent(), /not saved; kept until you close the tab/);
  await page.click('.window-state button:has-text("Discard")');
  near(await windowsOf(page, 'attack fist'), fist);
  assert.equal(await page.locator('.window-state .edit').count(), 0);
  // The arrow keys move a bar by a frame, and a click goes to its begin.
  await bar(page, 'attack fist').focus();
  await page.keyboard.press('ArrowRight');
  near(await windowsOf(page, 'attack fist'), [fist[0].map((x) => snapped(x + frame))], frame / 2);
  await page.keyboard.press('ArrowLeft');
  await bar(page, 'attack arm').click();
  near([await page.evaluate(() => window.bonebox.page.time)], [arm[0][0]]);
  // If the file has other windows by now, the edit is about windows that are not there any more.
  await drag(page, 'attack fist', { hold: 0, by: 0.04 });
  assert.equal(await page.locator('.window-state .edit').count(), 1);
  writeFileSync(settings, text);
  await page.waitForFunction(() => window.bonebox.page.bake.bake.attacks.some(({ active }) => active[0][0] === 0.15));
  await reload();
  near(await windowsOf(page, 'attack fist'), [[0.15, 0.35]]);
  assert.match(await page.locator('.window-state').textContent(), /the windows of fist have changed, so your unsaved edits of them are dropped/);
  assert.deepEqual(errors, []);
  await page.close();
});

test('windows that a bake refuses are refused where they are dragged', async () => {
  const text = readFileSync(settings, 'utf8');
  const two = text.replace('active = [0.35, 0.6]\ngroup = "kick"', 'active = [[0.1, 0.2], [0.35, 0.6]] # two\ngroup = "kick"');
  // Two attacks of a group with the same rank: a warning of the bake.
  writeFileSync(settings, two.replace('group = "kick"\nrank = 1', 'group = "kick"'));
  const { page, errors } = await openOn(server.address, 'bruno', 'roundhouse_kick');
  await page.waitForFunction(() => window.bonebox.page.windowRows[0].active.length === 2);
  assert.match(await page.locator('.window-state .warning').textContent(), /"foot" and "leg" .* the same group "kick"/);
  const before = readFileSync(settings, 'utf8');
  await drag(page, 'attack foot', { hold: 1, by: 0.3 });
  await page.click('.window-state .save');
  const problem = page.locator('.window-state .problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /bonebox\.toml:\d+:\d+: .*join windows that overlap/s);
  assert.equal(readFileSync(settings, 'utf8'), before);
  await shot(page, 'windows-refused');
  // Dragged otherwise, they are saved, and the comment stays.
  await page.click('.window-state button:has-text("Discard")');
  await drag(page, 'attack foot', { hold: 1, by: 0.1 });
  await page.click('.window-state .save');
  await page.waitForFunction(() => window.bonebox.page.windowEdits.note !== '');
  assert.match(readFileSync(settings, 'utf8'), /active = \[\[0\.1, 0\.[\d]+\], \[0\.35, 0\.6\]\] # two/);
  assert.notEqual(readFileSync(settings, 'utf8'), before);
  // The browser logs the refused request.
  assert.ok(errors.every((error) => error.includes('422')), errors.join());
  writeFileSync(settings, text);
  await page.close();
});

test('a report shows the windows, and they stay where they are', async () => {
  const file = join(folder, 'report.html');
  await bonebox('report', '--page', PAGE, join(folder, 'hound.glb'), '-o', file);
  const { page, errors } = await open(chrome.context, pathToFileURL(file).href);
  await page.selectOption('#clip', { label: 'bite' });
  await page.click('.play');
  await drag(page, 'attack bite', { hold: 0.5, by: 0.1 });
  near(await windowsOf(page, 'attack bite'), [[0.45, 0.65]]);
  assert.equal(await page.locator('.window-state .edit').count(), 0);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a duel freezes at each strike, unless that is switched off', async () => {
  const address = `${server.address}#character=runa.glb&number=2&view=duel&other=bruno.glb&clip-a=jab&clip-b=idle&distance=0.7&turn=0&fps=60`;
  const { page, errors } = await open(chrome.context, address);
  await page.waitForFunction(() => window.bonebox.page.encounter.duel?.ticks[0].skin);
  const { strikes } = await page.evaluate(() => window.bonebox.page.encounter.duel);
  assert.ok(strikes.length > 0);
  assert.equal(await page.locator('.marks .strike').count(), strikes.length);
  assert.equal(await page.locator('tr[data-strike]').count(), strikes.length);
  const [{ time, hitbox, target_hitbox: target, point, outcome, attack }] = strikes;
  assert.deepEqual([outcome, attack], ['hit', 'fist']);
  await page.click('.play');
  await page.waitForFunction(() => window.bonebox.page.time > 0 && !window.bonebox.page.playback.playing);
  assert.ok(Math.abs((await page.evaluate(() => window.bonebox.page.time)) - time) < 1e-9, 'it stands still at the strike');
  const shown = () =>
    page.evaluate(() => {
      const { page, picture, stage } = window.bonebox;
      return { boxes: picture.actors.map(({ activeBoxes }) => activeBoxes), points: stage.marks.touches, strike: page.strike !== null };
    });
  assert.deepEqual(await shown(), { boxes: [[hitbox], [target]], points: [point], strike: true });
  // The fist of the picture is where it touches: the point is in both hitboxes, or within the rounding of the sweep.
  const off = await page.evaluate(([hitbox, target, point]) => {
    const { actors } = window.bonebox.picture;
    return [hitbox, target].map((number, side) => {
      const actor = actors[side];
      actor.root.updateMatrixWorld(true);
      actor.boxes.follow();
      const box = actor.boxes.placed().find(({ index }) => index === number);
      const inside = box.worldFromCube.clone().invert();
      const [x, y, z] = point;
      const e = inside.elements;
      const local = [0, 1, 2].map((row) => e[row] * x + e[row + 4] * y + e[row + 8] * z + e[row + 12]);
      const scale = [0, 1, 2].map((column) => Math.hypot(...[0, 1, 2].map((row) => box.worldFromCube.elements[4 * column + row])));
      return Math.max(...local.map((x, axis) => (Math.abs(x) - 1) * scale[axis]));
    });
  }, [hitbox, target, point]);
  assert.ok(off.every((meters) => meters < 0.005), `${off}`);
  assert.equal(await page.locator('tr[data-strike="0"]').getAttribute('aria-selected'), 'true');
  assert.match(await page.locator('.labels').textContent(), /A fist: .* hit at/);
  await shot(page, 'strike');
  // It goes on from there.
  await page.keyboard.press('Space');
  await page.waitForFunction((time) => window.bonebox.page.time > time + 0.02, time);
  await page.waitForFunction(() => !window.bonebox.page.playback.playing, undefined, { timeout: 30_000 });
  assert.ok(await page.evaluate(() => window.bonebox.page.strike !== null), 'it froze again');
  // A click on the mark or the row goes to the strike.
  await page.evaluate(() => window.bonebox.clip.seek(0));
  assert.deepEqual((await shown()).points, []);
  await page.locator('.marks .strike').first().click();
  assert.ok(Math.abs((await page.evaluate(() => window.bonebox.page.time)) - time) < 1e-9);
  await page.evaluate(() => window.bonebox.clip.seek(0));
  await page.locator('tr[data-strike]').first().click();
  assert.ok((await shown()).strike);
  // Without the switch, it plays on.
  await page.uncheck('#freeze');
  await page.evaluate((time) => window.bonebox.clip.seek(time - 0.05), time);
  await page.click('.play');
  await page.waitForFunction((time) => window.bonebox.page.time > time + 0.1, time);
  assert.ok(await page.evaluate(() => window.bonebox.page.playback.playing));
  assert.deepEqual(errors, []);
  await page.close();
});

/** The place of the target of the shots, then and now. */
const [THEN, NOW] = [[0.5, 0, 0.25], [0.9, 0, 0.25]];

/** An explanation as a server writes it: a ray that passes the target's head by 6.25 cm. `head` are the corners of its hitbox then. */
const explained = ({ box_index, corners }, more) => {
  // The ray runs along z, so the corner that is farthest along x is the nearest point.
  const on_hitbox = corners.reduce((far, corner) => (corner[0] > far[0] ? corner : far)).map((x, axis) => x + THEN[axis]);
  const on_ray = [on_hitbox[0] + 0.0625, on_hitbox[1], on_hitbox[2]];
  return {
    target: 7,
    asked: { tick: 61, fraction: 0.5 },
    shown: { tick: 61, fraction: 0.5 },
    kind: 'Interpolated',
    verdict: 'Missed',
    nearest: { box_index, joint: 'head', tags: ['head'], is_enabled: true, distance: 0.0625, on_ray, on_hitbox },
    hits_at: [60],
    ray: { origin: [on_ray[0], on_ray[1], -6], direction: [0, 0, 2], max_time: null },
    character: 'runa',
    then: { place: [1, 0, 0, 0, 1, 0, 0, 0, 1, ...THEN], animation: { Clip: { clip: 0, seconds: 0.25 } } },
    now: { place: [1, 0, 0, 0, 1, 0, 0, 0, 1, ...NOW], animation: 'Rest' },
    ...more,
  };
};

test('explained shots are listed, and a chosen shot shows then, now, the ray and the nearest hitbox', async () => {
  const file = join(folder, 'shots.jsonl');
  const ask = async (question) => (await fetch(server.address + question)).json();
  const listing = await ask('api/listing');
  const number = (name) => listing.characters.findIndex((each) => each.name === name);
  const firstClip = async (name) => (await ask(`api/model?id=${number(name)}`)).clips[0].name;
  const posed = await ask(`api/pose?id=${number('runa')}&clip=${await firstClip('runa')}&time=0.25`);
  const head = posed.findIndex(({ joint }) => joint === 'head');
  const near = (more = {}) => explained({ box_index: head, corners: posed[head].corners }, more);
  const { ray, character, then, now, ...old } = near();
  const lines = [
    near(),
    near({ verdict: { Hit: { box_index: 3 } }, character: 'bruno', nearest: { ...near().nearest, box_index: 3, joint: 'spine_01', distance: 0 } }),
    near({ verdict: 'NotThere', nearest: null, then: null, now: null, character: null, hits_at: [] }),
    old,
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const shots = await serveIn(folder, '.', '--shots', 'shots.jsonl');
  const { page, errors } = await open(chrome.context, `${shots.address}#view=shots`);
  await page.waitForFunction(() => window.bonebox.page.shots.shown !== null);
  await settled(page);
  const printed = (await bonebox('explain', file)).split('\n').slice(0, 4).map((line) => line.replace(/^\d+: /, ''));
  assert.deepEqual(await page.locator('.shot-list td:nth-child(3)').allTextContents(), printed, 'the sentences of bonebox explain');
  assert.deepEqual(await page.locator('.shot-list td:nth-child(2)').allTextContents(), ['missed', 'hit', 'not there', 'missed']);

  const drawn = () =>
    page.evaluate(() => {
      const { page, stage } = window.bonebox;
      const { then, now } = page.shots.target;
      return {
        line: page.shots.line,
        then: then?.actor.corners() ?? null,
        now: now?.actor.corners() ?? null,
        nearest: then?.actor.activeBoxes ?? null,
        surfaces: [then, now].map((loaded) => loaded?.actor.display.surface),
        boxes: [then, now].map((loaded) => loaded?.actor.display.boxes),
        points: stage.marks.touches,
        ray: stage.marks.ray && { origin: stage.marks.ray.origin, point: stage.marks.ray.point },
      };
    });
  /** The largest distance of the drawn hitboxes from those of the run time, moved. */
  const off = (found, expected, [x, y, z]) =>
    Math.max(...found.flatMap(({ corners }, box) => corners.map((corner, k) => Math.hypot(...corner.map((c, axis) => c - expected[box].corners[k][axis] - [x, y, z][axis])))));
  const check = async (name, box) => {
    const found = await drawn();
    const id = number(name);
    assert.ok(off(found.then, await ask(`api/pose?id=${id}&clip=${await firstClip(name)}&time=0.25`), THEN) < 1e-4);
    assert.ok(off(found.now, await ask(`api/pose?id=${id}`), NOW) < 1e-4);
    assert.deepEqual([found.nearest, found.surfaces[0], found.boxes], [[box], 'ghost', ['solid', 'off']]);
    const { on_ray: onRay, on_hitbox: onHitbox } = near().nearest;
    const close = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-5);
    assert.ok(close(found.points[0], onRay) && close(found.points[1], onHitbox), JSON.stringify(found.points));
    assert.ok(close(found.ray.origin, [onRay[0], onRay[1], -6]) && close(found.ray.point, [onRay[0], onRay[1], onRay[2] + 1]), 'it ends a meter past the nearest point');
  };
  await check('runa', head);
  assert.match(await page.locator('.labels').textContent(), /head · 6\.25 cm/);
  assert.match(await page.locator('aside').textContent(), new RegExp(`hitbox ${head} of head; head`));
  await shot(page, 'shots', 'shots');
  // Another shot has another character.
  await page.locator('tr[data-line="2"]').click();
  await page.waitForFunction(() => window.bonebox.page.shots.line === 2);
  await settled(page);
  await check('bruno', 3);
  assert.equal(await page.locator('tr[data-line="2"]').getAttribute('aria-selected'), 'true');
  assert.match(await page.locator('aside').textContent(), /0, the ray meets it/);
  // A target that was not there, and a line of an earlier version.
  await page.locator('tr[data-line="3"]').click();
  await page.waitForFunction(() => window.bonebox.page.shots.line === 3);
  await settled(page);
  assert.deepEqual((await drawn()).then, null);
  await page.locator('tr[data-line="4"]').click();
  await page.locator('aside .problem', { hasText: 'an earlier version wrote this line' }).waitFor();
  // The answers can be filtered, and a reload keeps the shot.
  await page.selectOption('#shot-answer', 'hit');
  assert.equal(await page.locator('tr[data-line]').count(), 1);
  await page.locator('tr[data-line="2"]').click();
  await page.waitForFunction(() => location.hash.includes('shot=2'));
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.shots.line === 2);
  await settled(page);
  // Other modes show no trace of it.
  await page.click('[data-value=boxes]');
  await settled(page);
  const left = await drawn();
  assert.deepEqual([left.ray, left.points], [null, []]);
  assert.deepEqual(await page.evaluate(() => window.bonebox.picture.actors.length), 1);
  assert.deepEqual(errors, []);
  await page.close();
  shots.stop();
});
