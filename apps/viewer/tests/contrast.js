// The contrast of texts with what is behind them.

/** Lists the texts of a page whose contrast is below that of WCAG AA. */
export function lowContrast(page) {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * a + under[index] * (1 - a));
    const ground = (element) => (element === null ? [255, 255, 255] : over(rgba(getComputedStyle(element).backgroundColor), ground(element.parentElement)));
    const light = (color) => {
      const [r, g, b] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      if (data.trim() === '' || element.closest('script, style, option, :disabled') || element.getClientRects().length === 0) continue;
      const style = getComputedStyle(element);
      const under = ground(element);
      const [a, b] = [light(over(rgba(style.color), under)), light(under)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      if (ratio < least) found.add(`${element.tagName}.${element.className}: ${data.trim().slice(0, 30)}, ${ratio.toFixed(2)}`);
    }
    return [...found];
  });
}
