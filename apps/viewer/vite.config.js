// Three files come out. dist/viewer.html has the script and the style inside, so that `bonebox` can embed it and `bonebox report` can
// hand it on. dist/physics.js.gz is the physics engine, which is larger than the page, and which the page loads when a character falls.
// dist/baker.wasm.gz is the baker, which `bonebox report` puts into the page, if `cargo xtask web` has built it.
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** The license of three.js, which must go with every copy. */
const license = readFileSync(new URL('node_modules/three/LICENSE', import.meta.url), 'utf8').trim();

/** Moves the built script and style into the page. */
function singleFile() {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'));
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') {
          // A function, for `$` in the code means nothing then; `</script` would end the element.
          const code = file.code.replaceAll('</script', '<\\/script');
          page.source = page.source.replace(/<script[^>]*src=[^>]*><\/script>/, '');
          page.source = page.source.replace('</body>', () => `<script type="module">/*! three.js\n${license}\n*/\n${code}</script>\n</body>`);
        } else if (file.fileName.endsWith('.css')) {
          page.source = page.source.replace(/<link[^>]*rel="stylesheet"[^>]*>/, () => `<style>${file.source}</style>`);
        } else {
          continue;
        }
        delete bundle[file.fileName];
      }
      page.fileName = 'viewer.html';
    },
  };
}

/** Writes the module of rapier as it is, compressed. */
function physics() {
  return {
    name: 'physics',
    generateBundle() {
      const code = readFileSync(new URL('node_modules/@dimforge/rapier3d-compat/dist/rapier.mjs', import.meta.url), 'utf8');
      const license = '/*! rapier, by Dimforge: https://rapier.rs, Apache-2.0 */\n';
      this.emitFile({ type: 'asset', fileName: 'physics.js.gz', source: gzipSync(license + code, { level: 9 }) });
    },
  };
}

/** Writes the baker, compressed, if it is built. */
function baker() {
  const built = new URL('../../integrations/web/baker.wasm', import.meta.url);
  return {
    name: 'baker',
    generateBundle() {
      if (!existsSync(built)) return console.log('the page has no baker; `cargo xtask web --build` builds it');
      this.emitFile({ type: 'asset', fileName: 'baker.wasm.gz', source: gzipSync(readFileSync(built), { level: 9 }) });
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [singleFile(), physics(), baker()],
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
