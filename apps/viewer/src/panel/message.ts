// Words over the picture: what is awaited, what went wrong.

import type { Notice } from '../app/screen';
import { h } from './dom';

/** A shorter wait is not spoken of, in milliseconds. */
const PATIENCE = 250;

/** A line of a settings file as errors quote it: its number, and marks below what is meant. */
const QUOTED = /^\s*\d*\s*\|/;

export class Message {
  readonly root = h('div', { class: 'message', role: 'status' });
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows words; a progress is shown when it takes a while, and its seconds are counted. */
  say(kind: Notice, text: string): void {
    clearTimeout(this.timer);
    if (kind !== 'progress') return this.show(kind, text);
    const begin = performance.now();
    const tick = () => {
      const seconds = Math.floor((performance.now() - begin) / 1000);
      this.show(kind, seconds > 0 ? `${text} ${seconds} s` : text);
      this.timer = setTimeout(tick, 500);
    };
    this.timer = setTimeout(tick, PATIENCE);
  }

  private show(kind: Notice, text: string): void {
    this.root.dataset.kind = kind;
    const [first = '', ...rest] = text.split('\n');
    this.root.replaceChildren(...(text === '' ? [] : [h('strong', {}, first), ...paragraphs(rest)]));
  }
}

/** Quoted lines stand in a font whose letters are of one width, so that the marks are below what they mean. */
function paragraphs(lines: string[]): HTMLElement[] {
  const parts: { quoted: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const quoted = QUOTED.test(line);
    const last = parts.at(-1);
    if (last && last.quoted === quoted) last.lines.push(line);
    else parts.push({ quoted, lines: [line] });
  }
  return parts.map(({ quoted, lines }) => h(quoted ? 'pre' : 'p', {}, lines.join('\n')));
}
