// Screenshots small enough for a repository: 256 colours, which is plenty for clay and boxes.

import { crc32, deflateSync } from 'node:zlib';

/** A PNG of at most 256 colours from any PNG; the page's browser reads it. */
export async function small(page, png) {
  const { width, height, palette, indices } = await page.evaluate(quantized, png.toString('base64'));
  const rows = Buffer.from(indices, 'base64');
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.copy(lines, y * (width + 1) + 1, y * width, (y + 1) * width);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, indices into a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette)), chunk('IDAT', deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const all = Buffer.alloc(body.length + 8);
  all.writeUInt32BE(data.length, 0);
  body.copy(all, 4);
  all.writeUInt32BE(crc32(body), body.length + 4);
  return all;
}

/** Runs in the page. Median cut over the colours of the picture, each counted as often as its square root. */
async function quantized(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const colors = [...counts].map(([color, count]) => ({ rgb: [color >> 16, (color >> 8) & 255, color & 255], color, weight: Math.sqrt(count) }));
  const spread = (group) =>
    [0, 1, 2].map((axis) => {
      const all = group.reduce((sum, { weight }) => sum + weight, 0);
      const mean = group.reduce((sum, { rgb, weight }) => sum + weight * rgb[axis], 0) / all;
      return group.reduce((sum, { rgb, weight }) => sum + weight * (rgb[axis] - mean) ** 2, 0);
    });
  const measured = (group) => {
    const axes = spread(group);
    const most = Math.max(...axes);
    return { group, most, axis: axes.indexOf(most) };
  };
  const groups = [measured(colors)];
  while (groups.length < 256) {
    const widest = groups.reduce((best, each, index) => (each.most > groups[best].most ? index : best), 0);
    const { group, most, axis } = groups[widest];
    if (most === 0) break;
    group.sort((a, b) => a.rgb[axis] - b.rgb[axis] || a.color - b.color);
    const half = group.reduce((sum, { weight }) => sum + weight, 0) / 2;
    let [cut, sum] = [0, 0];
    while (cut < group.length - 1 && (cut === 0 || sum < half)) sum += group[cut++].weight;
    groups.splice(widest, 1, measured(group.slice(0, cut)), measured(group.slice(cut)));
  }
  const palette = [];
  const index = new Map();
  groups.forEach(({ group }, number) => {
    const all = group.reduce((sum, { weight }) => sum + weight, 0);
    for (let axis = 0; axis < 3; axis++) palette.push(Math.round(group.reduce((sum, { rgb, weight }) => sum + weight * rgb[axis], 0) / all));
    for (const { color } of group) index.set(color, number);
  });
  let letters = '';
  for (let i = 0; i < data.length; i += 4) letters += String.fromCharCode(index.get((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]));
  return { width, height, palette, indices: btoa(letters) };
}
