// Reads the manifest that `cargo run -p export-readers -- OUT PATHS…` wrote.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const OUT = process.env.BONEBOX_EXPORTS ?? '../../target/exports';

export const read = (file) => new Uint8Array(readFileSync(file));

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Every character: its name, the path of its source, the paths of its exports by form, and the path of the run time's boxes. */
export const characters = readJson(join(OUT, 'manifest.json')).characters;

/** Every character with a ragdoll, with the corners of its hitboxes at rest, and the JSON of its bake among its files. */
export const ragdolls = readJson(join(OUT, 'ragdolls.json'));

export const FORMS = ['omi', 'khr', 'vrm', 'wire', 'omi-ragdoll', 'khr-ragdoll'];

/** The JSON of a .glb or .gltf. */
export function gltf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = view.getUint32(0, true) === 0x46546c67;
  const json = isGlb ? bytes.subarray(20, 20 + view.getUint32(12, true)) : bytes;
  return JSON.parse(new TextDecoder().decode(json));
}

/** A file that an asset names, from beside its source. */
export const beside = (source, uri) => read(join(dirname(source), decodeURIComponent(uri)));
