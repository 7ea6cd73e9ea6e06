// The messages between the page and the worker of the baker.

/** A character's file, with everything that its bake needs. */
export interface HeldFile {
  name: string;
  bytes: ArrayBuffer;
  /** The text of the `bonebox.toml` that applies. */
  settings: string;
  /** The other files that a .gltf names, by the URI in it. */
  buffers: Record<string, ArrayBuffer>;
}

export type Request =
  /** `wasm` is the WebAssembly of the baker, and the options are those of the command line. */
  | { kind: 'start'; wasm: ArrayBuffer; options: [string, string][] }
  | { kind: 'add'; file: HeldFile }
  | { kind: 'ask'; question: string; query: string };

/** An answer has either a value or the reason why there is none. */
export type Answer = { id: number; value?: unknown; problem?: string };
