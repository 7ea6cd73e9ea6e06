// Messages over the picture: progress and errors.

import { h } from '../dom';

export type Notice = '' | 'progress' | 'empty' | 'error' | 'lost';

/** The wait after which a message of progress appears, in milliseconds. */
const PATIENCE = 250;

/** A line of a settings file in an error: its number, and marks below the words that the error is about. */
const QUOTED = /^\s*\d*\s*\|/;

export class Message {
  readonly root = h('div', { class: 'message', role: 'status' });
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a message; an empty `text` removes it. A message of progress appears after a while and counts the seconds. */
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

/** Quoted lines are in a monospaced font, so that the marks stand below their words. */
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
