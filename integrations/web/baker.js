// The baker of bonebox: makes tight hitboxes for a skinned glTF or VRM file. baker.d.ts explains each function.

import { load } from './bakerCalls.js';

export { BoneboxError, Studio, bake } from './bakerCalls.js';

/** Loads the WebAssembly file. Later calls return the same promise. */
export function init(source) {
  return load(source ?? new URL('./baker.wasm', import.meta.url));
}
