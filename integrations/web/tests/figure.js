// The character of the golden scene, from golden.wasm, which `cargo xtask web` builds.

import { instantiate } from '../wasm.js';

/** Returns the bytes of a `.bonebox` file. */
export async function goldenFigure(source) {
  const wasm = await instantiate(source);
  const reply = wasm.run('bonebox_golden_figure');
  const data = wasm.exports.bonebox_reply_data(reply);
  return wasm.bytes.slice(data, data + wasm.exports.bonebox_reply_length(reply));
}
