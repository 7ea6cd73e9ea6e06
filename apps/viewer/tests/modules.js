// Loads modules of the page in Node, so that tests can call their functions.

import { createServer } from 'vite';

/** Loads modules by their paths below src; `close` ends the server that translates them. */
export async function modules(...paths) {
  const server = await createServer({
    server: { middlewareMode: true, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    logLevel: 'error',
  });
  const loaded = await Promise.all(paths.map((path) => server.ssrLoadModule(`/src/${path}`)));
  return { loaded: Object.assign({}, ...loaded), close: () => server.close() };
}

/** Numbers from -1 to 1 that are the same in each run. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
