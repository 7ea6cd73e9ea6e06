// Adds files that the user drops on the page to the characters.

import { Refused } from '../data/source';
import type { Page } from '../state/page';
import type { Loader } from './loader';
import type { Output } from './output';

/** The files that the baker reads. A .gltf names other files, which a page cannot read. */
const READABLE = /\.(glb|vrm|bonebox)$/i;

/** Takes dropped files, and shows the first of them. */
export function takeDroppedFiles(page: Page, output: Output, loader: Loader): void {
  // Without this, the browser leaves the page and opens the file.
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void output.ask(() => add(files, page, output, loader));
  });
}

async function add(files: File[], page: Page, output: Output, loader: Loader): Promise<void> {
  const wrong = files.find(({ name }) => !READABLE.test(name));
  if (wrong) throw new Refused(`${wrong.name} is no .glb, .vrm or .bonebox file. Drop a file of one of these kinds.`);
  if (!page.source.add || !page.canBake) throw new Refused('Files cannot be dropped on this page. Save them into the folder of `bonebox view`.');
  output.screen.say('progress', `Reading ${files.map(({ name }) => name).join(', ')}…`);
  const numbers: number[] = [];
  for (const file of files) numbers.push(await page.source.add(file.name, await file.arrayBuffer()));
  page.listing = await page.source.listing();
  output.refresh();
  await loader.open(numbers[0]!);
}
