// Khronos' validator reports no error for an export that it does not report for the source.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import validator from 'gltf-validator';
import { FORMS, beside, characters, ragdolls, read } from './manifest.js';

const ERROR = 0;
const WARNING = 1;

async function issues(file, source) {
  const externalResourceFunction = async (uri) => beside(source, uri);
  const options = { maxIssues: 0, writeTimestamp: false, externalResourceFunction };
  return (await validator.validateBytes(read(file), options)).issues.messages;
}

const isGrave = ({ severity }) => severity === ERROR || severity === WARNING;
const key = ({ severity, code, pointer, offset, message }) => `${severity} ${code} ${pointer ?? offset ?? ''} ${message}`;

test(`validator ${validator.version()}`, async (t) => {
  let [inherited, clean] = [0, 0];
  for (const { name, source, files } of [...characters, ...ragdolls]) {
    await t.test(name, async () => {
      const known = (await issues(source, source)).filter(isGrave);
      const errors = known.filter(({ severity }) => severity === ERROR).length;
      if (errors > 0) inherited++;
      else clean++;
      for (const form of FORMS.filter((form) => files[form])) {
        const found = (await issues(files[form], source)).filter(isGrave);
        const before = new Set(known.map(key));
        assert.deepEqual(found.map(key).filter((issue) => !before.has(issue)), [], form);
      }
    });
  }
  t.diagnostic(`${clean} characters without errors, ${inherited} with errors of their sources only`);
});
