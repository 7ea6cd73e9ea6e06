// The package in Chromium: without a bundler, built by vite, and with three.js. The tools are those of apps/viewer.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const viewer = join(root, 'apps/viewer');
const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = !existsSync(chromiumPath)
  ? `SKIPPED: ${chromiumPath} does not exist (apt-get install chromium, or set CHROMIUM)`
  : !existsSync(join(viewer, 'node_modules/playwright-core')) && 'SKIPPED: apps/viewer has no packages; run `npm ci` there';

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves a folder, and at /work the files of this test. */
function serve(folder, extra = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const file = extra[path] ?? join(folder, normalize(path));
    const kind = KINDS[extname(path)] ?? 'application/octet-stream';
    try {
      const body = typeof file === 'function' ? file() : readFileSync(path === '/' ? join(folder, 'index.html') : file);
      response.writeHead(200, { 'Content-Type': path === '/' ? 'text/html' : kind }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({ address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() })));
}

const MAP = { imports: { three: '/apps/viewer/node_modules/three/build/three.module.js', 'three/addons/': '/apps/viewer/node_modules/three/examples/jsm/' } };
const PAGE = `<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify(MAP)}</script>`;

let browser;
let site;

before(async () => {
  if (skip) return;
  const { chromium } = await import(join(viewer, 'node_modules/playwright-core/index.mjs'));
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
  site = await serve(root, { '/': () => PAGE, '/golden.wasm': process.env.BONEBOX_GOLDEN_WASM });
});

after(async () => {
  await browser?.close();
  site?.stop();
});

async function open(address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(240_000);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  return { page, errors };
}

test('the golden scene has the same sums in Chromium', { skip }, async () => {
  const { page, errors } = await open(site.address);
  const lines = await page.evaluate(async () => {
    const bonebox = await import('/integrations/web/bonebox.js');
    const { goldenFigure } = await import('/integrations/web/tests/figure.js');
    const { goldenScene } = await import('/integrations/web/tests/golden.js');
    await bonebox.init();
    return goldenScene(bonebox, await goldenFigure(new URL('/golden.wasm', location.href)), 40);
  });
  const golden = readFileSync(join(root, 'crates/runtime/tests/golden/scene.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  assert.deepEqual(lines, golden.slice(0, 1));
  assert.deepEqual(errors, []);
  await page.close();
});

test('a SkinnedMesh of three.js poses the hitboxes as the clip does', { skip }, async () => {
  const { page, errors } = await open(site.address);
  const found = await page.evaluate(async () => {
    const THREE = await import('three');
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    const { Character, Pose, init } = await import('/integrations/web/bonebox.js');
    const { SkeletonPose, hitboxLines } = await import('/integrations/web/three.js');
    await init();
    const runa = new Character(await (await fetch('/assets/runa.bonebox')).arrayBuffer());
    const { scene, animations } = await new GLTFLoader().loadAsync('/assets/runa.glb');
    const mixer = new THREE.AnimationMixer(scene);
    mixer.clipAction(animations.find(({ name }) => name === 'jab')).play();
    mixer.setTime(0.3);
    scene.position.set(1, 2, 3);
    scene.updateMatrixWorld(true);
    const skeleton = new SkeletonPose(THREE, runa, scene);
    const [pose, twin] = [skeleton.update(new Pose()), new Pose()];
    twin.fromClip(runa, runa.findClip('jab'), 0.3, new THREE.Matrix4().makeTranslation(1, 2, 3).elements);
    const [own, expected] = [pose.hitboxes, twin.hitboxes];
    const far = own.center.reduce((most, number, i) => Math.max(most, Math.abs(number - expected.center[i])), 0);
    const lines = hitboxLines(THREE);
    lines.show(own);
    lines.geometry.computeBoundingBox();
    const { min, max } = lines.geometry.boundingBox;
    let problem = '';
    try {
      new SkeletonPose(THREE, runa, new THREE.Group());
    } catch (error) {
      problem = error.message;
    }
    return { far, count: own.hitbox.length, bounds: pose.bounds, drawn: [min.toArray(), max.toArray()], ends: lines.geometry.drawRange.count, problem };
  });
  assert.equal(found.count, 52);
  assert.ok(found.far < 1e-4, `${found.far}`);
  assert.equal(found.ends, 24 * 52);
  const off = [...found.bounds.min, ...found.bounds.max].map((number, i) => Math.abs(number - found.drawn.flat()[i]));
  assert.ok(Math.max(...off) < 1e-3, off.join());
  assert.match(found.problem, /the object has no bones with the names .* \(53 in all\)/);
  assert.deepEqual(errors, []);
  await page.close();
});

test('the packed files work in a project that vite builds', { skip }, async () => {
  const project = mkdtempSync(join(tmpdir(), 'bonebox-vite-'));
  const here = fileURLToPath(new URL('..', import.meta.url));
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: here, encoding: 'utf8' }));
  const packed = files.map(({ path }) => path).sort();
  for (const file of ['bonebox.js', 'bonebox.d.ts', 'bonebox.wasm', 'baker.js', 'bakerCalls.js', 'baker.wasm', 'three.js', 'wasm.js', 'layouts.js', 'README.md', 'LICENSE-MIT']) {
    assert.ok(packed.includes(file), `${file} is missing among ${packed.join(', ')}`);
  }
  assert.ok(!packed.some((file) => /^(tests|src)\/|Cargo/.test(file)), packed.join(', '));
  const inside = join(project, 'node_modules/bonebox');
  mkdirSync(inside, { recursive: true });
  for (const file of packed) cpSync(join(here, file), join(inside, file), { dereference: true });
  writeFileSync(join(project, 'index.html'), '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>');
  writeFileSync(
    join(project, 'main.js'),
    `import { Character, init } from 'bonebox';
    import { bake, init as initBaker } from 'bonebox/baker';
    window.done = Promise.all([init(), initBaker()]).then(async () => {
      const glb = await (await fetch('/hound.glb')).arrayBuffer();
      const { bonebox, warnings } = bake(glb, { measure: 'none' }, { name: 'hound.glb' });
      return [new Character(bonebox).hitboxCount, warnings.length];
    });`,
  );
  const { build } = await import(join(viewer, 'node_modules/vite/dist/node/index.js'));
  await build({ root: project, logLevel: 'warn', configFile: false, build: { assetsInlineLimit: 0 } });
  assert.equal(readdirSync(join(project, 'dist/assets')).filter((file) => file.endsWith('.wasm')).length, 2);
  const built = await serve(join(project, 'dist'), { '/hound.glb': join(root, 'assets/hound.glb') });
  const { page, errors } = await open(built.address);
  const [hitboxes] = await page.evaluate(() => window.done);
  assert.ok(hitboxes > 10, `${hitboxes}`);
  assert.deepEqual(errors, []);
  await page.close();
  built.stop();
  rmSync(project, { recursive: true, force: true });
});
