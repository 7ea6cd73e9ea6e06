// Loads a WebAssembly file, and passes values to its functions.

/** The word for each result of the C library. */
const CODES = [
  'OK', 'NULL_POINTER', 'INVALID_ARGUMENT', 'INVALID_HANDLE', 'BAD_FILE', 'NOT_FOUND', 'NO_BODY', 'BODY_EXISTS', 'WRONG_CHARACTER', 'POSE_REFUSED',
  'BUFFER_TOO_SMALL', 'INTERNAL_ERROR', 'BAKE_FAILED', 'CANCELED', 'NO_SKIN',
];

/** A failure; the message is that of the Rust code. */
export class BoneboxError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'BoneboxError';
    this.code = code;
  }
}

/** Compiles a WebAssembly file: its bytes, a `Response`, a `WebAssembly.Module`, or an address. */
export async function instantiate(from) {
  if (from instanceof WebAssembly.Module) return new Wasm(await WebAssembly.instantiate(from, {}));
  const bytes = await read(from);
  return new Wasm((await WebAssembly.instantiate(bytes, {})).instance);
}

async function read(from) {
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return from;
  if (typeof Response !== 'undefined' && from instanceof Response) return bytesOf(from, from.url);
  const url = from instanceof URL ? from : new URL(String(from), globalThis.location?.href ?? import.meta.url);
  if (url.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
    // Bundlers for browsers must not look for this module.
    const name = 'node:fs/promises';
    return (await import(/* @vite-ignore */ name)).readFile(url);
  }
  return bytesOf(await fetch(url), url);
}

async function bytesOf(response, url) {
  if (!response.ok) throw new BoneboxError('NOT_FOUND', `cannot load ${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** The largest size of a value that functions of the C library write, in bytes. */
const ERROR_BYTES = 512;

/** An instance of a WebAssembly file, with memory for the arguments and answers of one call. */
export class Wasm {
  /** True after a defect, which may have left the memory half changed. */
  #isBroken = false;
  #scratch = { at: 0, bytes: 0 };
  #bytes = new Uint8Array(0);
  #view = null;

  constructor(instance) {
    this.exports = instance.exports;
    this.exports.bonebox_web_start();
    this.error = this.alloc(ERROR_BYTES);
  }

  /** The memory as bytes. Memory that grows has new bytes, so nobody may keep them. */
  get bytes() {
    if (this.#bytes.buffer !== this.exports.memory.buffer) {
      this.#bytes = new Uint8Array(this.exports.memory.buffer);
      this.#view = new DataView(this.exports.memory.buffer);
    }
    return this.#bytes;
  }

  get view() {
    return this.bytes && this.#view;
  }

  alloc(bytes) {
    const at = this.exports.bonebox_web_alloc(bytes);
    if (at === 0) throw new BoneboxError('INTERNAL_ERROR', `there is no memory for ${bytes} bytes`);
    return at;
  }

  free(at, bytes) {
    this.exports.bonebox_web_free(at, bytes);
  }

  /** Memory that stays until the next call of this function. */
  scratch(bytes) {
    if (bytes > this.#scratch.bytes) {
      const room = Math.max(1024, 2 * bytes);
      const at = this.alloc(room);
      if (this.#scratch.bytes > 0) this.free(this.#scratch.at, this.#scratch.bytes);
      this.#scratch = { at, bytes: room };
    }
    return this.#scratch.at;
  }

  text(at, length) {
    return fromUtf8.decode(this.bytes.subarray(at, at + length));
  }

  /** Calls a function. A panic of the Rust code becomes a `BoneboxError` with its message. */
  run(name, ...parameters) {
    if (this.#isBroken) throw new BoneboxError('INTERNAL_ERROR', 'a defect has ended bonebox before; load the module again');
    try {
      return this.exports[name](...parameters);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#isBroken = true;
      const length = this.exports.bonebox_web_panic(this.error);
      const message = this.text(this.view.getUint32(this.error, true), length) || error.message;
      throw new BoneboxError('INTERNAL_ERROR', `defect in bonebox: ${message}`);
    }
  }

  /** Calls a function of the C library whose last parameter is a `BoneboxError`. */
  call(name, ...parameters) {
    const result = this.run(name, ...parameters, this.error);
    if (result !== 0) this.fail(result);
  }

  /** Throws the failure that the last call has written. */
  fail(result) {
    const length = this.view.getUint32(this.error + 4, true);
    throw new BoneboxError(CODES[result] ?? 'INTERNAL_ERROR', this.text(this.error + 8, length));
  }

  /** Calls `use` with bytes in memory, and their number, and frees them. */
  with(data, use) {
    const bytes = typeof data === 'string' ? utf8.encode(data) : asBytes(data);
    const at = this.alloc(bytes.length);
    try {
      this.bytes.set(bytes, at);
      return use(at, bytes.length);
    } finally {
      if (!this.#isBroken) this.free(at, bytes.length);
    }
  }

  /** Calls `use` with a text that ends with a zero byte. */
  withText(text, use) {
    return this.with(`${text}\0`, use);
  }
}

function asBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('bytes must be an ArrayBuffer or a typed array');
}
