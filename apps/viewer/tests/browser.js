// A `bonebox view` and a headless Chromium that looks at it.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { small } from './pictures.js';

const BONEBOX = process.env.BONEBOX ?? '../../target/debug/bonebox';
const PAGE = process.env.BONEBOX_PAGE ?? 'dist/viewer.html';
/** A folder, where the pictures of the documentation are to be made anew. */
const PICTURES = process.env.BONEBOX_PICTURES;
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts the server; gives its address and a function that ends it. Options may stand among the paths. */
export function serve(...paths) {
  return serveIn(undefined, ...paths);
}

/** The same, run in that folder. */
export function serveIn(cwd, ...paths) {
  const options = { cwd, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn(resolve(BONEBOX), ['view', '--no-open', '--page', resolve(PAGE), ...paths], options);
  return new Promise((done, reject) => {
    let said = '';
    child.on('exit', (code) => reject(new Error(`bonebox view ended with ${code}: ${said}`)));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const address = /http:\/\/[\d.:]+\//.exec(said)?.[0];
      if (address) done({ address, pid: child.pid, stop: () => child.kill() });
    });
  });
}

/** A folder with copies of some of the project's characters. */
export function folderWith(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'bonebox-assets-'));
  for (const name of names) copyFileSync(join(process.env.BONEBOX_ASSETS ?? '../../assets', name), join(folder, name));
  return folder;
}

/** Starts a run of bonebox that lasts until it is stopped. */
export function start(...args) {
  const child = spawn(BONEBOX, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  return { stop: () => child.kill() };
}

/** What a run of bonebox prints. */
export function bonebox(...args) {
  const child = spawn(BONEBOX, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`bonebox ${args.join(' ')}: ${code}`))));
  });
}

/** A browser without a graphics card, with its profile in a folder of its own. */
export async function browser() {
  const profile = mkdtempSync(join(tmpdir(), 'bonebox-viewer-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport: { width: 1280, height: 720 },
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  });
  // Long enough for a machine that does much else.
  context.setDefaultTimeout(Number(process.env.BONEBOX_PATIENCE ?? 240_000));
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}

/** A page that has drawn its first character; errors on it end up in `errors`. */
export async function open(context, address) {
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => window.bonebox?.page.bake !== null && window.bonebox?.page.bake !== undefined);
  await settled(page);
  return { page, errors };
}

/** Waits until nothing is being baked and the last frame is on the screen. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector('.message')?.textContent === '' && window.bonebox.page.asked === 0);
  await page.waitForFunction(() => window.bonebox.page.playback.playing || window.bonebox.page.encounter.feed || window.bonebox.stage.isStill);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The largest distance between corners of boxes, in order. */
export function difference(a, b) {
  let most = 0;
  a.forEach((box, i) =>
    box.corners.forEach((corner, k) => {
      most = Math.max(most, Math.hypot(...corner.map((x, axis) => x - b[i].corners[k][axis])));
    }),
  );
  return most;
}

/** Takes a picture of the page; where those of the documentation are asked for, also one for them. */
export async function documented(page, file, picture) {
  const png = await page.screenshot({ path: file });
  if (picture) await keep(page, png, `view-${picture}`);
}

/** Writes a picture into the documentation, where its pictures are asked for. */
export async function keep(page, png, name) {
  if (!PICTURES) return;
  const few = await small(page, png);
  if (few.length >= 200_000) throw new Error(`${name} has ${few.length} bytes`);
  writeFileSync(join(PICTURES, `${name}.png`), few);
}
