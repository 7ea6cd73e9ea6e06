// The timeline: plays, scrubs, chooses a clip, and marks the contacts of a duel.

import { clipTitles } from '../data/clipNames';
import { OUTCOME_COLORS, strikeText } from '../data/strikes';
import { choice, h } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { WindowBars } from './windowBars';

export class Timeline {
  readonly root = h('footer', { class: 'timeline' });
  private readonly button = h('button', { type: 'button', class: 'play', title: 'Play or pause (space)' });
  private readonly range = h('input', { type: 'range', min: '0', step: 'any', 'aria-label': 'Time in seconds' });
  private readonly fall = h('button', { type: 'button', class: 'fall' });
  private readonly clock = h('output', { class: 'clock' });
  private readonly marks = h('div', { class: 'marks', 'aria-hidden': 'true' });
  private readonly clipHolder = h('span');
  private readonly windows: WindowBars;
  private shownClips = '';
  private shownDuel: unknown = null;

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {
    this.button.addEventListener('click', () => actions.clip.play());
    this.range.addEventListener('input', () => {
      // Read the value first, because an update overwrites it with the time.
      const time = Number(this.range.value);
      actions.clip.play(false);
      actions.clip.seek(time);
    });
    const speeds = ['0.1', '0.25', '0.5', '1', '2'].map((value) => ({ value, text: `${value}×` }));
    const speed = choice('Speed', speeds, '1', (value) => actions.clip.setSpeed(Number(value)));
    this.windows = new WindowBars(page, actions);
    const track = h('div', { class: 'track' }, this.range, this.marks, this.windows.root);
    this.fall.addEventListener('click', () => actions.falls.toggle());
    this.root.append(this.button, this.clipHolder, this.fall, track, this.clock, speed);
  }

  update(): void {
    this.updateClips();
    this.updateMarks();
    this.windows.update();
    this.updateTime();
  }

  /** Shows the present time. It changes only what differs, because it runs in each frame. */
  updateTime(): void {
    const { seconds, time, tick, mode, playback, falling, hasRagdoll } = this.page;
    const fall = falling ? 'Back' : 'Let fall';
    if (this.fall.textContent !== fall) {
      this.fall.textContent = fall;
      this.fall.title = falling ? 'Back to the clip (G)' : 'Let the character fall as a ragdoll (G)';
    }
    this.fall.hidden = mode !== 'boxes' || !hasRagdoll;
    const symbol = playback.playing ? '❚❚' : '▶';
    if (this.button.textContent !== symbol) {
      this.button.textContent = symbol;
      this.button.setAttribute('aria-label', playback.playing ? 'Pause' : 'Play');
    }
    this.button.disabled = seconds === 0;
    this.button.title = seconds === 0 ? mode === 'live' ? 'The tracker moves the player' : 'Nothing moves here: choose a clip' : 'Play or pause (space)';
    this.range.disabled = seconds === 0;
    this.range.max = String(seconds || 1);
    this.range.value = seconds === 0 ? '0' : String(time);
    const ticks = tick ? ` · tick ${tick.tick}` : '';
    this.windows.updateTime();
    if (falling) this.clock.textContent = `fall ${falling.fall.seconds.toFixed(2)} s${falling.fall.isAtRest ? ', at rest' : ''}`;
    else this.clock.textContent = mode === 'live' ? `${time.toFixed(2)} s` : `${time.toFixed(2)} / ${seconds.toFixed(2)} s${ticks}`;
  }

  private updateClips(): void {
    const { page, actions } = this;
    const { clip } = page.playback;
    const shown = JSON.stringify([page.mode, page.clips, clip]);
    if (shown === this.shownClips) return;
    this.shownClips = shown;
    const titles = clipTitles(page.clips);
    const clips = titles.map((text, index) => ({ value: String(index), text }));
    const select = choice(
      'Clip',
      [{ value: '', text: 'rest pose' }, ...clips],
      clip === null ? '' : String(clip),
      (value) => {
        actions.clip.choose(value === '' ? null : Number(value));
        actions.clip.play(value !== '');
      },
      'clip',
    );
    // The tooltip has the whole name.
    select.title = page.clipName || 'rest pose';
    this.clipHolder.replaceChildren(page.showsClip ? select : '');
  }

  /** Draws a stroke at every tick with contact, higher for more pairs, and a button at every strike. */
  private updateMarks(): void {
    const { duel } = this.page.encounter;
    if (this.shownDuel === duel) return;
    this.shownDuel = duel;
    const last = duel?.ticks.at(-1)?.time || 1;
    const most = Math.max(1, ...(duel?.ticks.map((tick) => tick.pairs.length) ?? []));
    const strokes = duel?.ticks.filter((tick) => tick.pairs.length > 0) ?? [];
    const strikes = duel?.strikes.map((strike) =>
      h('button', {
        type: 'button',
        class: 'strike',
        tabIndex: -1,
        title: strikeText(strike),
        style: `left: ${(100 * strike.time) / last}%; --kind: ${OUTCOME_COLORS[strike.outcome]}`,
        onclick: () => this.actions.strikes.visit(strike),
      }),
    );
    this.marks.replaceChildren(
      ...strokes.map(({ time, pairs }) => h('i', { style: `left: ${(100 * time) / last}%; height: ${25 + (75 * pairs.length) / most}%` })),
      ...(strikes ?? []),
    );
  }
}
