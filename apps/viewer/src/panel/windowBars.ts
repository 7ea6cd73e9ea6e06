// The windows of attacks and states as bars below the time slider. With a server, bars and their edges are dragged.

import type { TimeWindow } from '../data/baked';
import { KIND_COLORS, type Grip, type WindowRow } from '../data/windows';
import { button, h, replaceKeepingFocus } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';

/** The pointer holds an edge of a bar up to this distance from it, in CSS pixels; less in a narrow bar. */
const EDGE = 7;

/** A bar that the pointer holds. */
interface Held {
  row: WindowRow;
  index: number;
  grip: Grip;
  /** The place of the press, in CSS pixels. */
  x: number;
  moved: boolean;
}

/** The codes of warnings about attacks begin with one of these words. */
const OF_ATTACKS = /^attacks?-/;

export class WindowBars {
  readonly root = h('div', { class: 'windows' });
  private readonly rows = h('div', { class: 'window-rows' });
  private readonly state = h('div', { class: 'window-state', role: 'status' });
  /** The bars of each row, in the order of the rows. */
  private bars: HTMLElement[][] = [];
  private shown = '';
  private held: Held | null = null;

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {
    this.root.append(this.rows, this.state);
  }

  update(): void {
    const rows = this.page.windowRows;
    this.root.hidden = rows.length === 0;
    const shown = JSON.stringify([rows.map(({ key, name, kind, active }) => [key, name, kind, active.length]), this.isEditable, this.page.clipName, this.page.index]);
    if (shown !== this.shown) {
      // New elements end a drag.
      this.held = null;
      this.shown = shown;
      this.bars = rows.map((row) => row.active.map((_, index) => this.bar(row, index)));
      this.rows.replaceChildren(...rows.map((row, number) => this.row(row, this.bars[number]!)));
    }
    rows.forEach((row, number) => this.place(row, this.bars[number]!));
    this.updateTime();
    this.updateState();
  }

  /** Marks the bars whose windows are open. */
  updateTime(): void {
    const { windowRows, clipSeconds } = this.page;
    windowRows.forEach(({ active }, number) =>
      active.forEach(([from, to], index) => this.bars[number]?.[index]?.classList.toggle('open', from <= clipSeconds + 1e-4 && clipSeconds <= to + 1e-4)),
    );
  }

  private get isEditable(): boolean {
    return this.page.hasServer && this.page.mode === 'boxes';
  }

  private row(row: WindowRow, bars: HTMLElement[]): HTMLElement {
    const label = h('span', { class: 'name' }, row.name);
    return h('div', { class: 'window-row', 'data-row': row.key, style: `--kind: ${KIND_COLORS[row.kind]}` }, ...bars, label);
  }

  private bar(row: WindowRow, index: number): HTMLElement {
    const bar = h('div', { class: this.isEditable ? 'bar editable' : 'bar', 'data-window': String(index), tabIndex: 0, role: 'button' });
    bar.addEventListener('pointerdown', (event) => this.press(event, bar, row.key, index));
    bar.addEventListener('pointermove', (event) => this.move(event));
    bar.addEventListener('pointerup', () => this.release());
    bar.addEventListener('pointercancel', () => (this.held = null));
    bar.addEventListener('keydown', (event) => this.key(event, row.key, index));
    return bar;
  }

  /** Puts the bars of a row at their times, and the name beside the last bar. */
  private place({ name, kind, active }: WindowRow, bars: HTMLElement[]): void {
    const share = (time: number) => (100 * (time - this.page.clipStart)) / (this.page.seconds || 1);
    active.forEach(([from, to], index) => {
      const bar = bars[index]!;
      bar.style.left = `${share(from)}%`;
      bar.style.width = `${share(to) - share(from)}%`;
      const text = `${name === kind ? kind : `${name}, ${kind}`}: ${seconds([from, to])}`;
      bar.title = this.isEditable ? `${text}\nDrag the bar or an edge; with Alt, not only to frames` : text;
      bar.setAttribute('aria-label', text);
    });
    const label = bars[0]?.parentElement?.querySelector<HTMLElement>('.name');
    const [first, last] = [active[0]?.[0] ?? 0, active.at(-1)?.[1] ?? 0];
    if (!label) return;
    const isLeft = share(last) > 75 && share(first) > 15;
    label.style.left = isLeft ? '' : `calc(${share(last)}% + 6px)`;
    label.style.right = isLeft ? `calc(${100 - share(first)}% + 6px)` : '';
  }

  private press(event: PointerEvent, bar: HTMLElement, key: string, index: number): void {
    const row = this.page.windowRows.find((row) => row.key === key);
    if (!row || event.button !== 0) return;
    const { left, right, width } = bar.getBoundingClientRect();
    const edge = Math.min(EDGE, width / 3);
    const grip = event.clientX < left + edge ? 'from' : event.clientX > right - edge ? 'to' : 'whole';
    bar.setPointerCapture(event.pointerId);
    this.held = { row, index, grip, x: event.clientX, moved: false };
  }

  private move(event: PointerEvent): void {
    const { held } = this;
    if (!held || !this.isEditable) return;
    const by = ((event.clientX - held.x) / this.rows.clientWidth) * this.page.seconds;
    if (!held.moved && Math.abs(event.clientX - held.x) < 2) return;
    held.moved = true;
    this.actions.windows.drag(held.row, held.index, held.grip, by, !event.altKey);
  }

  /** A click without a drag goes to the begin of the window. */
  private release(): void {
    const { held } = this;
    this.held = null;
    if (held && !held.moved) this.actions.clip.seek(held.row.active[held.index]![0] - this.page.clipStart);
  }

  /** The arrow keys move a bar by a frame; with Shift, its end. */
  private key(event: KeyboardEvent, key: string, index: number): void {
    const row = this.page.windowRows.find((row) => row.key === key);
    if (!row || !this.isEditable || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    event.stopPropagation();
    const by = (event.key === 'ArrowLeft' ? -1 : 1) * this.page.frame;
    this.actions.windows.drag(row, index, event.shiftKey ? 'to' : 'whole', by, true);
  }

  /** What was dragged and why it was not saved, and the warnings of the bake. */
  private updateState(): void {
    const { page, actions } = this;
    const edits = page.windowEdits.of(page.index, page.clipName);
    const lines = edits.map(({ name, before, after, problem }) => {
      const changed = after.flatMap((window, index) => (String(window) === String(before[index]) ? [] : [`${seconds(before[index]!)} → ${seconds(window)}`]));
      return h('div', { class: 'edit' }, `${name}: ${changed.join(', ')}`, problem ? h('pre', { class: 'problem', role: 'alert' }, problem) : null);
    });
    const buttons = h(
      'p',
      { class: 'actions' },
      button('save windows', () => actions.windows.save(), { class: 'save', title: 'Write the windows into bonebox.toml and bake again' }, 'Save'),
      button('discard windows', () => actions.windows.discard(), {}, 'Discard'),
      h('span', { class: 'faint' }, 'not saved; kept until you close the tab'),
    );
    const of = `clip ${JSON.stringify(page.clipName)}`;
    const warnings = page.bake?.bake.warnings.filter(({ code, text }) => OF_ATTACKS.test(code) && text.includes(of)) ?? [];
    replaceKeepingFocus(
      this.state,
      ...(edits.length > 0 ? [...lines, buttons] : []),
      edits.length === 0 && page.windowEdits.note ? h('div', { class: 'faint' }, page.windowEdits.note) : null,
      ...warnings.map(({ text }) => h('div', { class: 'warning' }, text)),
    );
  }
}

function seconds([from, to]: TimeWindow): string {
  return `${Number(from.toFixed(4))}–${Number(to.toFixed(4))} s`;
}
