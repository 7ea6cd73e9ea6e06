// An artist's work with the page: look, select, search, compare, apply a proposal, come back later.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, difference, folderWith, open, serve, serveIn, settled } from './browser.js';

const CORPUS = process.env.BONEBOX_CORPUS;
const SHOTS = process.env.BONEBOX_SHOTS ?? 'dist/screenshots';

let chrome;
let server;
let folder;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  folder = folderWith('bruno.glb', 'runa.glb', 'hound.glb');
  [chrome, server] = await Promise.all([browser(), serve(folder)]);
});

after(async () => {
  server?.stop();
  await chrome?.close();
  rmSync(folder, { recursive: true, force: true });
});

const corners = (page) => page.evaluate(() => window.bonebox.picture.actors.map((actor) => actor.corners()));
const shot = async (page, name) => {
  await settled(page);
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

/** The colors of pixels inside the canvas, in steps of 1/8, each with how often it is there. */
const colors = (page) =>
  page.evaluate(() => {
    const { canvas } = window.bonebox.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 250) continue;
      const key = [data[i], data[i + 1], data[i + 2]].map((x) => x >> 5).join(',');
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  });

/** How many pixels of the canvas are as red as the dot at an escape. */
const dotPixels = (page) =>
  page.evaluate(() => {
    const { canvas } = window.bonebox.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] === 255 && Math.abs(data[i + 1] - 45) < 3 && Math.abs(data[i + 2] - 63) < 3) count++;
    return count;
  });

test('the page opens on the first clip, ready to play', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  assert.deepEqual(await page.evaluate(() => [window.bonebox.page.playback.clip, window.bonebox.page.time, window.bonebox.page.playback.playing]), [0, 0, false]);
  assert.equal(await page.locator('#clip').inputValue(), '0');
  assert.ok(await page.locator('.play').isEnabled(), 'play can be pressed at once');
  await page.click('.play');
  await page.waitForFunction(() => window.bonebox.page.time > 0.1);
  assert.deepEqual(errors, []);
  await page.close();
});

test('from a duel to a comparison, whole characters stand there before any preset is baked', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
  await settled(page);
  // The presets' bakes are held back.
  let letGo = [];
  await page.route(/option\.preset=(tight|cover|recipe)/, (route) => new Promise((done) => letGo.push(() => done(route.continue()))));
  await page.click('[data-value=compare]');
  await page.waitForFunction(() => window.bonebox.stage.isStill);
  await page.locator('.view-title.waiting').first().waitFor();
  await page.screenshot({ path: join(SHOTS, 'compare-waiting.png') });
  const columns = () =>
    page.evaluate(() => {
      const { canvas } = window.bonebox.stage;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const third = Math.floor(canvas.width / 3);
      return [0, 1, 2].map((part) => {
        const { data } = copy.getImageData(part * third, 0, third, canvas.height);
        let [left, right, top, bottom] = [Infinity, -1, Infinity, -1];
        for (let i = 0; i < data.length; i += 4) {
          // Skin and clothes have warm colors; the grid is gray.
          if (data[i + 3] < 250 || data[i] < data[i + 2] + 25) continue;
          const [x, y] = [(i / 4) % third, Math.floor(i / 4 / third)];
          [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
        }
        return { left, right, top, bottom, width: third, height: canvas.height };
      });
    });
  for (const view of await columns()) {
    assert.ok(view.right > view.left, 'a character is in each view');
    assert.ok(view.left > 0 && view.right < view.width - 1 && view.top > 0 && view.bottom < view.height - 1, JSON.stringify(view));
  }
  const camera = await page.evaluate(() => window.bonebox.stage.camera.pose);
  await page.unroute(/option\.preset/);
  letGo.forEach((go) => go());
  await page.waitForFunction(() => ['recipe', 'cover'].every((key) => window.bonebox.page.comparison.column(key).loaded));
  assert.deepEqual(await page.evaluate(() => window.bonebox.stage.camera.pose), camera, 'the camera stays where it is when they come in');
  assert.equal((await corners(page)).length, 3);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a reload keeps what is looked at', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.selectOption('#character', { label: 'runa (runa.glb)' });
  await page.waitForFunction(() => window.bonebox.page.name === 'runa' && window.bonebox.page.bake !== null);
  await settled(page);
  await page.selectOption('#clip', { label: 'jab' });
  await page.click('.play');
  await page.locator('.track input').fill('0.37');
  await page.click('tr[data-joint=head]');
  await page.keyboard.press('f');
  await page.keyboard.press('b');
  await page.keyboard.press('s');
  const look = () =>
    page.evaluate(() => {
      const { page, stage } = window.bonebox;
      const { name, mode, clipName, time, selection, display, bake, comparison } = page;
      const shown = mode === 'compare' ? comparison.columns.filter(({ shown }) => shown).map(({ key }) => key) : [];
      return { name, mode, clip: clipName, time, joint: bake.bake.joints[selection.joint]?.name, display, shown, camera: stage.camera.pose.map((x) => Math.round(x * 1000)) };
    });
  const before = await look();
  assert.deepEqual([before.name, before.clip, before.time, before.joint], ['runa', 'jab', 0.37, 'head']);
  assert.ok(before.display.skeleton && before.display.boxes === 'wire');
  const reload = async () => {
    // The address follows within a third of a second.
    await page.waitForTimeout(500);
    await page.reload();
  };
  // A slow server does not make the page forget its address.
  await page.route('**/api/listing', async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await reload();
  await page.waitForFunction(() => window.bonebox?.page.bake);
  await settled(page);
  assert.deepEqual(await look(), before);
  await page.unroute('**/api/listing');
  await page.click('[data-value=compare]');
  await page.click('[data-column=tight]');
  await settled(page);
  const compared = await look();
  await reload();
  await page.waitForFunction(() => window.bonebox?.page.bake && window.bonebox.page.mode === 'compare');
  await settled(page);
  assert.deepEqual(await look(), compared);
  assert.deepEqual(compared.shown, ['recipe', 'cover']);
  // The user's own options, and their column, are there again too.
  await page.click('.own summary');
  await page.selectOption('#option-fit', 'joint-axes');
  await page.locator('#option-margin').fill('0.01');
  await page.locator('#option-margin').blur();
  await page.waitForFunction(() => window.bonebox.page.comparison.column('yours').loaded?.bake.bake.options.margin === '0.01');
  await settled(page);
  const own = () =>
    page.evaluate(() => {
      const { options, title, loaded } = window.bonebox.page.comparison.column('yours');
      return { options, title, boxes: loaded?.bake.bake.boxes, focus: window.bonebox.page.comparison.focus };
    });
  const mine = await own();
  assert.deepEqual([mine.options, mine.focus], [{ fit: 'joint-axes', margin: '0.01' }, 'yours']);
  await reload();
  await page.waitForFunction(() => window.bonebox?.page.bake && window.bonebox.page.comparison.column('yours').loaded);
  await settled(page);
  assert.deepEqual(await own(), mine);
  assert.deepEqual((await look()).shown, ['recipe', 'cover', 'yours']);
  assert.equal(await page.locator('#option-margin').inputValue(), '0.01');
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
  await settled(page);
  await page.locator('#duel-distance').fill('0.75');
  await page.locator('#duel-distance').blur();
  await settled(page);
  await reload();
  await page.waitForFunction(() => window.bonebox?.page.encounter.duel);
  assert.equal(await page.evaluate(() => window.bonebox.page.encounter.settings.distance), 0.75);
  await settled(page);
  assert.deepEqual(errors, []);
  await page.close();
});

test('the red dot goes with the selection', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.locator('[data-escape]').first().click();
  await page.click('[data-key="mesh=off"]');
  await page.click('[data-key="boxes=off"]');
  await settled(page);
  assert.ok((await dotPixels(page)) > 20, 'the dot is there');
  await page.keyboard.press('Escape');
  await settled(page);
  assert.equal(await dotPixels(page), 0, 'and gone with Escape');
  await page.locator('[data-escape]').first().click();
  await settled(page);
  await page.click('tr[data-joint=head]');
  await settled(page);
  assert.equal(await dotPixels(page), 0, 'and gone when another joint is selected');
  assert.deepEqual(errors, []);
  await page.close();
});

test('an escape whose place is unknown leaves the camera where it is', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  // As with the preset `always`.
  await page.route(/api\/escapes/, (route) => route.fulfill({ json: [] }));
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.bake);
  await settled(page);
  const camera = () => page.evaluate(() => window.bonebox.stage.camera.pose);
  const before = await camera();
  assert.equal(await page.locator('[data-escape]').count(), 1);
  await page.locator('[data-escape]').click();
  await settled(page);
  const worst = await page.evaluate(() => window.bonebox.page.bake.bake.coverage.worst);
  const found = await page.evaluate(() => [window.bonebox.page.clipName, window.bonebox.page.bake.bake.joints[window.bonebox.page.selection.joint].name]);
  assert.deepEqual(found, [worst.clip, worst.joint]);
  assert.deepEqual(await camera(), before);
  assert.deepEqual(errors, []);
  await page.close();
});

test('the panel is as wide as one likes, and stays so', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  const width = async () => (await page.locator('aside').boundingBox()).width;
  const before = await width();
  assert.ok(before >= 400, `${before} pixels of 1280 are for the panel`);
  const edge = await page.locator('.splitter').boundingBox();
  await page.mouse.move(edge.x + 3, 300);
  await page.mouse.down();
  await page.mouse.move(edge.x - 117, 300);
  await page.mouse.up();
  const wider = await width();
  assert.ok(Math.abs(wider - before - 120) < 8, `${before} has become ${wider}`);
  const canvas = await page.locator('.stage canvas').boundingBox();
  assert.ok(canvas.width < 1280 - wider, 'the picture gives way');
  await page.locator('.splitter').press('ArrowRight');
  const narrower = await width();
  assert.ok(narrower < wider - 10, 'arrow keys do it too');
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.bake);
  assert.ok(Math.abs((await width()) - narrower) < 2, 'it is the same after a reload');
  await page.evaluate(() => localStorage.clear());
  assert.deepEqual(errors, []);
  await page.close();
});

test('a long name is cut at its beginning, and a tooltip has all of it', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.evaluate(() => {
    const { bake } = window.bonebox.page.bake;
    for (const box of bake.boxes) box.joint = `mixamorig:A very long prefix of each and every joint that there is ${box.joint}`;
    window.bonebox.output.refresh();
  });
  const cell = page.locator('table.boxes .joint').first();
  const [title, first, last, edges] = await cell.evaluate((cell) => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
    const place = (index) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    };
    const { left, right } = cell.getBoundingClientRect();
    return [cell.title, place(0), place(text.data.length - 1), { left, right }];
  });
  assert.match(title, /^mixamorig:A very long/);
  assert.ok(first.left < edges.left, 'the beginning is cut');
  assert.ok(last.right <= edges.right + 1 && last.left >= edges.left, 'the end is there');
  await page.screenshot({ path: join(SHOTS, 'long-names.png') });
  assert.deepEqual(errors, []);
  await page.close();
});

test('the proposed lines are copied, and applied to bonebox.toml', async () => {
  const game = folderWith('bruno.glb');
  const settings = join(game, 'bonebox.toml');
  writeFileSync(settings, '# ours\nmargin = 0.001 # a millimeter or two\n');
  const own = await serveIn(game, '.');
  await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: own.address });
  const { page, errors } = await open(chrome.context, own.address);
  const escape = () => page.evaluate(() => window.bonebox.page.bake.bake.coverage.max_escape);
  const before = await escape();
  await page.click('[data-escape=upperarm_l]');
  const lines = await page.locator('.snippet').textContent();
  assert.equal(lines, '[characters.bruno.joints.upperarm_l]\npreset = "cover"');
  await page.click('.copy');
  await page.locator('.proposal', { hasText: 'copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), lines);
  await page.click('.apply');
  await page.waitForFunction((before) => window.bonebox.page.bake.bake.coverage.max_escape < before, before);
  await settled(page);
  const text = readFileSync(settings, 'utf8');
  assert.ok(text.startsWith('# ours\nmargin = 0.001 # a millimeter or two\n'), text);
  assert.ok(text.includes(lines), text);
  // The joint is covered now, and nothing more is proposed for it.
  await page.locator('tr[data-joint=upperarm_l]', { hasText: '–' }).waitFor();
  assert.equal(await page.locator('[data-escape=upperarm_l]').count(), 0);
  await page.click('tr[data-joint=upperarm_l]');
  assert.equal(await page.locator('.snippet').count(), 0);
  await shot(page, 'proposal');
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('the list of escapes names joints without a hitbox', async () => {
  const game = folderWith('bruno.glb');
  writeFileSync(join(game, 'bonebox.toml'), '[joints.lowerarm_l]\nskip = true\n');
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  await page.locator('[data-escape=lowerarm_l]', { hasText: 'no hitbox' }).waitFor();
  assert.equal(await page.locator('[data-escape]', { hasText: 'no hitbox' }).count(), 1);
  await page.click('[data-escape=lowerarm_l]');
  assert.equal(await page.locator('.snippet').count(), 0);
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('where most joints are bare a preset is proposed', async () => {
  const game = folderWith('bruno.glb');
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  assert.equal(await page.locator('.proposal').count(), 0, 'bruno is not bare');
  // As for a snake: of most joints a fifth is outside.
  await page.route(/api\/escapes/, async (route) => {
    const escapes = await (await route.fetch()).json();
    await route.fulfill({ json: escapes.map((escape) => ({ ...escape, outside: 0.2 })) });
  });
  await page.reload();
  await page.locator('.proposal').waitFor();
  assert.equal(await page.locator('.snippet').textContent(), '[characters.bruno]\npreset = "cover"');
  await page.locator('[data-escape]').first().click();
  assert.equal(await page.locator('.snippet').textContent(), '[characters.bruno]\npreset = "cover"', 'for one joint too');
  assert.match(await page.locator('.proposal p').first().textContent(), /joints have more than 5\.0 % of their skin outside/);
  await page.unroute(/api\/escapes/);
  await page.click('.apply');
  await page.waitForFunction(() => window.bonebox.page.bake.bake.options.preset === 'cover');
  assert.equal(readFileSync(join(game, 'bonebox.toml'), 'utf8'), '[characters.bruno]\npreset = "cover"\n');
  await shot(page, 'most-bare');
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('a character wears its own materials', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-key="boxes=off"]');
  await settled(page);
  assert.equal(await page.evaluate(() => window.bonebox.page.display.surface), 'textured', 'without being asked');
  const own = await colors(page);
  await page.click('[data-key="mesh=clay"]');
  await settled(page);
  const clay = await colors(page);
  const red = (counts) => Object.entries(counts).reduce((sum, [key, count]) => sum + (Number(key[0]) >= Number(key[2]) + 2 ? count : 0), 0);
  assert.ok(red(own) > 1000, `bruno has a red shirt: ${red(own)}`);
  assert.equal(red(clay), 0, 'clay has none');
  assert.deepEqual(errors, []);
  await page.close();
});

test('so does one with a texture, in parts that are attached too', { skip: CORPUS ? false : 'no corpus here' }, async () => {
  const knight = await serve(join(CORPUS, 'kaykit', 'Knight.glb'));
  const { page, errors } = await open(chrome.context, knight.address);
  await page.click('[data-key="boxes=off"]');
  await settled(page);
  const own = Object.keys(await colors(page)).length;
  await shot(page, 'textured');
  await page.click('[data-key="mesh=clay"]');
  await settled(page);
  const clay = Object.keys(await colors(page)).length;
  assert.ok(own > clay + 10, `${own} colors, ${clay} in clay`);
  const [dressed, meshes] = await page.evaluate(() => {
    const { costume, meshes } = window.bonebox.page.first.actor.surface;
    return [costume.length, meshes.length];
  });
  assert.ok(dressed >= meshes, `${dressed} parts of ${meshes} meshes and attachments are dressed`);
  assert.deepEqual(errors, []);
  await page.close();
  knight.stop();
});

test('the skeleton is drawn over everything', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-key="boxes=off"]');
  await settled(page);
  const blue = async () => Object.entries(await colors(page)).reduce((sum, [key, count]) => sum + (Number(key[4]) >= Number(key[0]) + 5 ? count : 0), 0);
  assert.equal(await blue(), 0);
  await page.keyboard.press('s');
  await settled(page);
  assert.ok(await page.locator('#skeleton').isChecked());
  assert.ok((await blue()) > 300, `lines and dots are there: ${await blue()}`);
  await shot(page, 'skeleton');
  assert.deepEqual(errors, []);
  await page.close();
});

test('hitboxes are searched by joint and by tag', async () => {
  const game = folderWith('bruno.glb');
  writeFileSync(join(game, 'bonebox.toml'), '[tags]\n"calf*" = "leg"\n"thigh*" = "leg"\n');
  const own = await serveIn(game, '.');
  const { page, errors } = await open(chrome.context, own.address);
  const found = () => page.locator('table.boxes tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.joint).sort());
  await page.keyboard.press('/');
  await page.keyboard.type('LEG');
  assert.deepEqual(await found(), ['calf_l', 'calf_r', 'thigh_l', 'thigh_r']);
  await page.locator('#search').fill('upperarm_l');
  assert.deepEqual(await found(), ['upperarm_l']);
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.selected-joint').textContent(), 'upperarm_l');
  await page.locator('#search').press('Escape');
  assert.ok((await found()).length > 40);
  assert.deepEqual(errors, []);
  await page.close();
  own.stop();
  rmSync(game, { recursive: true, force: true });
});

test('lengths have their units, on the grid and in tables', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  assert.match(await page.locator('.legend').textContent(), /^1 square = (1|2|5)0* (mm|cm|m)$/);
  const heads = await page.locator('table.boxes thead th').allTextContents();
  assert.deepEqual(heads, ['joint', 'escape% of height', 'outside% of skin', 'fill% of volume', '× leastvolume']);
  await page.click('tr[data-joint=head]');
  assert.match(await page.locator('.in-sight .facts').textContent(), /\d+(\.\d+)? × \d+(\.\d+)? × \d+(\.\d+)? cm/);
  await page.click('[data-value=duel]');
  await page.waitForFunction(() => window.bonebox.page.encounter.duel !== null);
  await page.selectOption('#other', { label: 'runa' });
  await settled(page);
  await page.selectOption('#clip-a', 'jab');
  await settled(page);
  await page.locator('#duel-distance').fill('0.7');
  await page.locator('#duel-distance').blur();
  await page.waitForFunction(() => window.bonebox.page.encounter.settings.distance === 0.7);
  await settled(page);
  assert.match(await page.locator('.fields').textContent(), /distance in m/);
  const depths = await page.locator('table.contacts tbody td:last-child').allTextContents();
  assert.ok(depths.length > 0 && depths.every((depth) => / (mm|cm|m)$/.test(depth)), depths.join());
  assert.deepEqual(errors, []);
  await page.close();
});

test('figures by own joint and what is left out stand in the panel', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  // As for a character with scenery, measured at some moments only.
  await page.route(/api\/bake/, async (route) => {
    const answer = await (await route.fetch()).json();
    Object.assign(answer.bake.coverage, { own_rest: 0.875, own_clips: 0.75, every_sample_time: false });
    answer.bake.warnings = [
      { code: 'left-out-meshes', text: '2 meshes without a skin have no hitboxes: rock, tree' },
      { code: 'flat-group', joint: 'head', text: 'flat' },
    ];
    await route.fulfill({ json: answer });
  });
  await page.reload();
  await page.waitForFunction(() => window.bonebox?.page.bake);
  await settled(page);
  const text = await page.locator('.facts').first().textContent();
  for (const part of ['87.5 % at rest, 75.0 % in clips', 'at least', '2 meshes without a skin have no hitboxes: rock, tree']) assert.ok(text.includes(part), `${part}: ${text}`);
  assert.equal(await page.locator('.warnings summary').textContent(), '1 warning', 'it is said once');
  assert.deepEqual(errors, []);
  await page.close();
});

test('the selected joint is framed, hidden and isolated by a key', async () => {
  const { page, errors } = await open(chrome.context, server.address);
  await page.click('[data-key="mesh=off"]');
  const drawn = () =>
    page.evaluate(() => {
      const { first } = window.bonebox.page;
      return first.actor.boxes.boxes.filter(({ look }) => look.faces > 0).map(({ data }) => data.joint);
    });
  const all = await drawn();
  await page.click('tr[data-joint=foot_l]');
  const middle = () =>
    page.evaluate(() => {
      const { stage, picture } = window.bonebox;
      const box = picture.actors[0].corners().find(({ joint }) => joint === 'foot_l').corners;
      const center = [0, 1, 2].map((axis) => box.reduce((sum, corner) => sum + corner[axis], 0) / 8);
      const pose = stage.camera.pose;
      return { off: Math.hypot(...center.map((x, axis) => x - pose[3 + axis])), far: Math.hypot(...center.map((x, axis) => x - pose[axis])) };
    });
  const before = await middle();
  await page.keyboard.press('f');
  const after = await middle();
  assert.ok(after.off < 0.01 && after.far < 0.5 * before.far, JSON.stringify([before, after]));
  await page.keyboard.press('h');
  assert.deepEqual(await drawn(), all.filter((joint) => joint !== 'foot_l'));
  assert.equal(await page.locator('tr[data-joint=foot_l]').getAttribute('data-hidden'), 'true');
  await page.keyboard.press('h');
  assert.deepEqual(await drawn(), all);
  await page.keyboard.press('i');
  assert.deepEqual(await drawn(), ['foot_l']);
  await page.keyboard.press('i');
  assert.deepEqual(await drawn(), all);
  await page.keyboard.press('i');
  await page.click('text=show all');
  assert.deepEqual(await drawn(), all);
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  assert.ok((await middle()).far > 0.7 * before.far, 'without a selection everything is framed');
  assert.deepEqual(errors, []);
  await page.close();
});
