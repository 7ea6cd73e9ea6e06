import type { WasmSource } from './bonebox.js';
export { BoneboxError } from './bonebox.js';

/** Loads the WebAssembly file of the baker, which lies beside this module unless `source` says otherwise. */
export function init(source?: WasmSource): Promise<void>;

/** Bake options by key, as in `bonebox.toml` and on the command line: `{ preset: 'tight', parts: 'humanoid', margin: 0.01 }`. */
export type BakeOptions = Record<string, string | number | boolean | string[]>;

export interface SourceFile {
  /** The name of the file, such as `runa.glb`: the character's name, and part of messages. An ending `.bonebox` means a baked file. */
  name?: string;
  /** The text of a `bonebox.toml`; the options override it. Its `motions` and `[[shared]]` sets are errors, because they need other files. */
  settings?: string;
  /** The other files that a `.gltf` names, by their URIs. */
  buffers?: Record<string, BufferSource>;
}

export interface Warning {
  code: string;
  joint?: string;
  text: string;
}

export interface Baked {
  /** The bytes of the `.bonebox` file, for `new Character(…)` and for games. */
  bonebox: Uint8Array;
  /** The content of `NAME.bonebox.json`: joints, hitboxes, coverage. */
  json: string;
  warnings: Warning[];
}

/**
 * Makes hitboxes for a skinned glTF or VRM file. The call blocks for as long as the bake takes, so call it in a worker.
 *
 * Throws `BoneboxError` with the code `BAKE_FAILED` if the file cannot be imported or an option is wrong.
 */
export function bake(file: BufferSource, options?: BakeOptions, source?: SourceFile): Baked;

/** Answers the questions of the page of `bonebox view` about characters in memory. */
export class Studio {
  /** `options` override the settings of each character. */
  constructor(options?: BakeOptions);
  /** Adds a character and returns its number. The file is imported by the first question. */
  add(file: BufferSource, source?: SourceFile): number;
  /** Answers with JSON. `crates/page-answers/src/answers.rs` lists the questions. */
  answer(question: string, query: string | URLSearchParams): string;
  free(): void;
  [Symbol.dispose](): void;
}
