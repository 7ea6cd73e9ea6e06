import type { WasmSource } from './bonebox.js';
export { BoneboxError, Studio, bake } from './baker.js';
export type * from './baker.js';

/** Loads the WebAssembly file of the baker from `source`. */
export function load(source: WasmSource): Promise<void>;
