// The timeline: plays, scrubs, chooses a clip, and marks the contacts of a duel.

import type { App } from '../app/app';
import { choice, h } from './dom';

export class Timeline {
  readonly root = h('footer', { class: 'timeline' });
  private readonly button = h('button', { type: 'button', class: 'play', title: 'Play or pause (space)' });
  private readonly range = h('input', { type: 'range', min: '0', step: 'any', 'aria-label': 'Time in seconds' });
  private readonly clock = h('output', { class: 'clock' });
  private readonly marks = h('div', { class: 'marks', 'aria-hidden': 'true' });
  private readonly clipHolder = h('span');
  private shownClips = '';
  private shownDuel: unknown = null;

  constructor(private readonly app: App) {
    this.button.addEventListener('click', () => app.play());
    this.range.addEventListener('input', () => {
      // Read the value first, because an update overwrites it with the time.
      const time = Number(this.range.value);
      app.play(false);
      app.seek(time);
    });
    const speeds = ['0.1', '0.25', '0.5', '1', '2'].map((value) => ({ value, text: `${value}×` }));
    const speed = choice('Speed', speeds, '1', (value) => (app.playback.speed = Number(value)));
    const track = h('div', { class: 'track' }, this.range, this.marks);
    this.root.append(this.button, this.clipHolder, track, this.clock, speed);
  }

  update(): void {
    this.updateClips();
    this.updateMarks();
    this.updateTime();
  }

  /** Shows the present time. It changes only what differs, because it runs in each frame. */
  updateTime(): void {
    const { app } = this;
    const { seconds, time } = app;
    const symbol = app.playing ? '❚❚' : '▶';
    if (this.button.textContent !== symbol) {
      this.button.textContent = symbol;
      this.button.setAttribute('aria-label', app.playing ? 'Pause' : 'Play');
    }
    this.button.disabled = seconds === 0;
    this.button.title = seconds === 0 ? app.mode === 'live' ? 'The tracker moves the player' : 'Nothing moves here: choose a clip' : 'Play or pause (space)';
    this.range.disabled = seconds === 0;
    this.range.max = String(seconds || 1);
    this.range.value = seconds === 0 ? '0' : String(time);
    const tick = app.tick ? ` · tick ${app.tick.tick}` : '';
    this.clock.textContent = app.mode === 'live' ? `${time.toFixed(2)} s` : `${time.toFixed(2)} / ${seconds.toFixed(2)} s${tick}`;
  }

  private updateClips(): void {
    const { app } = this;
    const shown = JSON.stringify([app.mode, app.clips, app.clip]);
    if (shown === this.shownClips) return;
    this.shownClips = shown;
    const clips = app.clips.map((text, index) => ({ value: String(index), text }));
    const select = choice(
      'Clip',
      [{ value: '', text: 'rest pose' }, ...clips],
      app.clip === null ? '' : String(app.clip),
      (value) => {
        app.setClip(value === '' ? null : Number(value));
        app.play(value !== '');
      },
      'clip',
    );
    this.clipHolder.replaceChildren(app.hasOpponent ? '' : select);
  }

  /** Draws a stroke at every tick with contact, higher for more pairs. */
  private updateMarks(): void {
    const { duel } = this.app.encounter;
    if (this.shownDuel === duel) return;
    this.shownDuel = duel;
    const last = duel?.ticks.at(-1)?.time || 1;
    const most = Math.max(1, ...(duel?.ticks.map((tick) => tick.pairs.length) ?? []));
    const strokes = duel?.ticks.filter((tick) => tick.pairs.length > 0) ?? [];
    this.marks.replaceChildren(
      ...strokes.map((tick) => {
        const mark = h('i');
        mark.style.left = `${(100 * tick.time) / last}%`;
        mark.style.height = `${25 + (75 * tick.pairs.length) / most}%`;
        return mark;
      }),
    );
  }
}
