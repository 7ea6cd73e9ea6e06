// Runs the examples of docs/web.md, from the folder of the repository.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = new URL('../', import.meta.url);
const guide = readFileSync(new URL('../../docs/web.md', here), 'utf8');
const examples = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

test('the examples of the guide run', async () => {
  assert.equal(examples.length, 3);
  process.chdir(fileURLToPath(new URL('../../', here)));
  for (const [number, code] of examples.entries()) {
    const file = new URL(`tests/example-${number}.tmp.mjs`, here);
    const own = code.replaceAll("'bonebox/baker'", "'../baker.js'").replaceAll("'bonebox'", "'../bonebox.js'");
    writeFileSync(file, own);
    try {
      await import(file);
    } finally {
      rmSync(file);
    }
  }
});
