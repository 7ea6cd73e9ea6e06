// The functions of the baker. `baker.js` adds the place of its WebAssembly file, which bundlers copy wherever they see it.

import { BoneboxError, instantiate } from './wasm.js';

export { BoneboxError };

let wasm = null;
let loading = null;

/** Loads the WebAssembly file. Later calls return the same promise. */
export function load(source) {
  loading ??= instantiate(source).then(
    (loaded) => {
      wasm = loaded;
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

function loaded() {
  if (wasm === null) throw new BoneboxError('NOT_FOUND', 'the baker is not loaded; call `await init()` first');
  return wasm;
}

/** Calls a function that returns a reply, and returns its bytes. */
function reply(name, ...parameters) {
  const at = loaded().run(name, ...parameters);
  try {
    const data = wasm.exports.bonebox_reply_data(at);
    const length = wasm.exports.bonebox_reply_length(at);
    if (wasm.exports.bonebox_reply_is_error(at)) throw new BoneboxError('BAKE_FAILED', wasm.text(data, length));
    return wasm.bytes.slice(data, data + length);
  } finally {
    wasm.exports.bonebox_reply_free(at);
  }
}

const text = new TextDecoder();

/** Options as the settings file and the command line write them. */
function words(options) {
  return Object.entries(options).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value)]);
}

/** The bytes of a file and its buffers in one block, and the lengths of the buffers. */
function joined(file, buffers) {
  const parts = [file, ...Object.values(buffers)].map((data) => asBytes(data));
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return { all, lengths: Object.keys(buffers).map((uri, i) => [uri, parts[i + 1].length]) };
}

function asBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('the bytes of a file must be an ArrayBuffer or a typed array');
}

export function bake(file, options = {}, { name = 'character.glb', settings = '', buffers = {} } = {}) {
  const { all, lengths } = joined(file, buffers);
  const request = JSON.stringify({ file: name, settings, options: words(options), buffers: lengths });
  const bonebox = loaded().with(request, (at, length) => wasm.with(all, (data, size) => reply('bonebox_web_bake', at, length, data, size)));
  const json = text.decode(wasm.with(bonebox, (at, length) => reply('bonebox_web_json', at, length)));
  return { bonebox, json, warnings: JSON.parse(json).warnings };
}

/** Characters in memory, and the answers to the questions of the page of `bonebox view` about them. */
export class Studio {
  #at;

  constructor(options = {}) {
    this.#at = loaded().with(JSON.stringify(words(options)), (at, length) => wasm.run('bonebox_page_new', at, length));
  }

  get #page() {
    if (this.#at === 0) throw new BoneboxError('INVALID_HANDLE', 'this studio was freed');
    return this.#at;
  }

  add(file, { name = 'character.glb', settings = '', buffers = {} } = {}) {
    const { all, lengths } = joined(file, buffers);
    const request = JSON.stringify({ file: name, settings, buffers: lengths });
    const add = (at, length) => wasm.with(all, (data, size) => reply('bonebox_page_add', this.#page, at, length, data, size));
    return Number(text.decode(loaded().with(request, add)));
  }

  answer(question, query) {
    const ask = (at, length) => wasm.with(String(query), (data, size) => reply('bonebox_page_answer', this.#page, at, length, data, size));
    return text.decode(loaded().with(question, ask));
  }

  free() {
    if (this.#at === 0) return;
    const at = this.#at;
    this.#at = 0;
    wasm.run('bonebox_page_free', at);
  }
}

if (Symbol.dispose) Studio.prototype[Symbol.dispose] = Studio.prototype.free;
