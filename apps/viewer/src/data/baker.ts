// The baker in the page: bakes, duels and rays without a server, in WebAssembly.

import type { Answer, HeldFile, Request } from './bakerMessages';
import BakerWorker from './bakerWorker?worker&inline';

export class Baker {
  private readonly worker = new BakerWorker();
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private count = 0;

  /** `refuse` makes the error of an answer that the baker refuses. */
  constructor(
    wasm: ArrayBuffer,
    options: [string, string][],
    private readonly refuse: (problem: string) => Error,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
    this.worker.onerror = ({ message }) => this.fail(`the baker has stopped: ${message}`);
    // Every later request waits for the start, and reports that it failed.
    this.send({ kind: 'start', wasm, options }, [wasm]).catch((error: Error) => this.fail(error.message));
  }

  /** Adds a character and returns its number in the baker. */
  async add(file: HeldFile): Promise<number> {
    return (await this.send({ kind: 'add', file })) as number;
  }

  async ask<T>(question: string, query: URLSearchParams): Promise<T> {
    return JSON.parse((await this.send({ kind: 'ask', question, query: query.toString() })) as string) as T;
  }

  private send(request: Request, moved: Transferable[] = []): Promise<unknown> {
    const id = this.count++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ value, problem }) => (problem === undefined ? resolve(value) : reject(this.refuse(problem))));
      this.worker.postMessage({ id, request }, moved);
    });
  }

  private fail(problem: string): void {
    for (const [id, answer] of this.waiting) answer({ id, problem });
    this.waiting.clear();
  }
}
