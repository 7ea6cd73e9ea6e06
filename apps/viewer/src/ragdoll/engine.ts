// Loads the physics engine rapier, which is not part of the page's own code because it is larger than the page.

export type Rapier = typeof import('@dimforge/rapier3d-compat');

let loaded: Promise<Rapier> | null = null;

/** Returns the engine. `read` gets its module, compressed (RFC 1952), and is called once unless it fails. */
export function loadEngine(read: () => Promise<ArrayBuffer>): Promise<Rapier> {
  loaded ??= load(read).catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(read: () => Promise<ArrayBuffer>): Promise<Rapier> {
  const code = new Blob([await read()]).stream().pipeThrough(new DecompressionStream('gzip'));
  const address = URL.createObjectURL(new Blob([await new Response(code).text()], { type: 'text/javascript' }));
  try {
    const rapier = (await import(/* @vite-ignore */ address)) as Rapier;
    await rapier.init();
    return rapier;
  } finally {
    URL.revokeObjectURL(address);
  }
}
