// The worker of `Baker`: bakes without stopping the page. It answers messages one after the other.

import { load, Studio } from '../../../../integrations/web/bakerCalls.js';
import type { Answer, Request } from './bakerMessages';

let studio: Studio | null = null;

async function answer(request: Request): Promise<unknown> {
  if (request.kind === 'start') {
    await load(request.wasm);
    studio = new Studio(Object.fromEntries(request.options));
    return null;
  }
  if (studio === null) throw new Error('the baker has not started');
  if (request.kind === 'add') return studio.add(request.file.bytes, request.file);
  return studio.answer(request.question, request.query);
}

const send = (message: Answer) => (self as unknown as Worker).postMessage(message);

// Later messages wait for the answers to the earlier ones, because a bake needs the start.
let last: Promise<void> = Promise.resolve();
self.addEventListener('message', ({ data }: MessageEvent<{ id: number; request: Request }>) => {
  last = last.then(async () => {
    try {
      send({ id: data.id, value: await answer(data.request) });
    } catch (error) {
      send({ id: data.id, problem: error instanceof Error ? error.message : String(error) });
    }
  });
});
