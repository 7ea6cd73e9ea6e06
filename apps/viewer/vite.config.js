// One file comes out: dist/viewer.html, with script and style inside, so that `bonebox` can embed it and
// `bonebox report` can hand it on.
import { defineConfig } from 'vite';

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
          page.source = page.source.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
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

export default defineConfig({
  base: './',
  plugins: [singleFile()],
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
