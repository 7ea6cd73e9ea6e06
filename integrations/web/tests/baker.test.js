import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bake, BoneboxError, init, Studio } from '../baker.js';

const assets = new URL('../../../assets/', import.meta.url);
const read = (name) => readFileSync(new URL(name, assets));

await init();

test('the characters of assets/ bake to the bytes of every other machine', () => {
  const settings = read('bonebox.toml').toString();
  for (const name of ['runa', 'hound']) {
    const baked = bake(read(`${name}.glb`), {}, { name: `${name}.glb`, settings });
    assert.deepEqual(Buffer.from(baked.bonebox), read(`${name}.bonebox`));
    assert.equal(baked.json, read(`${name}.bonebox.json`).toString());
    assert.deepEqual(baked.warnings, []);
  }
});

test('mistakes are errors with the words of Rust', () => {
  const refusal = (pattern, ...values) => assert.throws(() => bake(...values), (error) => error instanceof BoneboxError && error.code === 'BAKE_FAILED' && pattern.test(error.message));
  refusal(/character\.glb: this is not glTF/, new Uint8Array(4));
  refusal(/preset is "tihgt".*did you mean "tight"/, read('hound.glb'), { preset: 'tihgt' });
  refusal(/settings:1:/, read('hound.glb'), {}, { settings: "fit = 'pac'" });
  assert.throws(() => bake('runa.glb'), /ArrayBuffer or a typed array/);
});

test('a studio answers the questions of the page', () => {
  const studio = new Studio();
  assert.equal(studio.add(read('hound.glb'), { name: 'hound.glb' }), 0);
  assert.equal(studio.add(read('runa.bonebox'), { name: 'runa.bonebox' }), 1);
  const ask = (question, query) => JSON.parse(studio.answer(question, new URLSearchParams(query)));
  assert.deepEqual(ask('listing', {}).characters.map(({ name }) => name), ['hound', 'runa']);
  assert.equal(ask('bake', { id: 0, 'option.measure': 'none' }).bake.options.measure, 'none');
  assert.ok(ask('duel', { a: 1, b: 1, clip_a: 'jab', clip_b: 'idle', distance: 0.7 }).ticks.some(({ pairs }) => pairs.length > 0));
  assert.throws(() => studio.answer('secrets', ''), /there is no question "secrets"/);
  assert.throws(() => studio.answer('bake', 'id=7'), /id must be the number of a character, below 2/);
  studio.free();
  assert.throws(() => studio.answer('listing', ''), /this studio was freed/);
});
