// The panel of explained shots: the shot in the picture, and the list of all shots.

import type { ListedShot, ListedShots, NearestHitbox, ShownShot } from '../data/serverTypes';
import { ANSWER_COLORS } from '../data/answers';
import { length } from '../data/units';
import { actionRow, choice, factList, h, labeled, replaceKeepingFocus, table } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { swatch } from './name';

export class ShotsPanel {
  private readonly holder = h('div', { class: 'shots' });
  private shown: ListedShots | null = null;
  /** The answer of the listed shots; an empty text for all. */
  private answer = '';

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {}

  parts(): (Node | string)[] {
    const { list, shown } = this.page.shots;
    if (!list) return [h('p', { class: 'waiting faint' }, 'reading the shots…')];
    if (this.shown !== list) this.list(list);
    for (const row of this.holder.querySelectorAll('tr[data-line]')) row.setAttribute('aria-selected', String(row.getAttribute('data-line') === String(shown?.line)));
    const listed = list.shots.find(({ line }) => line === shown?.line);
    return [...(listed && shown ? details(listed, shown) : []), this.holder];
  }

  private list(list: ListedShots): void {
    this.shown = list;
    const answers = [...new Set(list.shots.map(({ answer }) => answer))];
    const set = (answer: string) => {
      this.answer = answer;
      this.list(list);
      this.actions.shots.choose(this.page.shots.line ?? 0);
    };
    const choices = [{ value: '', text: 'all' }, ...answers.map((answer) => ({ value: answer, text: answer }))];
    const shots = list.shots.filter(({ answer }) => this.answer === '' || answer === this.answer);
    const rows = shots.map(({ line, answer, sentence }) =>
      actionRow(
        { 'data-line': String(line), 'data-key': `shot ${line}`, title: `Line ${line}` },
        () => this.actions.shots.choose(line),
        h('td', {}, String(line)),
        h('td', {}, swatch(ANSWER_COLORS[answer]), answer),
        h('td', {}, sentence),
      ),
    );
    const more = list.more > 0 ? h('p', { class: 'faint' }, `${list.more} more shots are in the file; the page lists the first ${list.shots.length}.`) : '';
    replaceKeepingFocus(
      this.holder,
      h('h2', {}, `Shots of ${list.file} (${list.shots.length + list.more})`),
      h('div', { class: 'fields' }, labeled('answer', choice('Answer', choices, this.answer, set, 'shot-answer'))),
      table('shot-list', ['line', 'answer', ''], rows),
      more,
    );
  }
}

function details({ line, answer, sentence, character, target }: ListedShot, { nearest, then, now, problem }: ShownShot): Node[] {
  const facts: [string, Node | string][] = [
    ['answer', h('span', {}, swatch(ANSWER_COLORS[answer]), answer)],
    ['target', character === null ? `body ${target}` : `body ${target}, ${character}`],
  ];
  if (nearest) facts.push(...ofNearest(nearest));
  if (then) facts.push(['picture', now ? 'transparent with hitboxes: at the moment of the shot; with its skin: now' : 'at the moment of the shot; the target is not there now']);
  return [
    h('h2', {}, `Shot in line ${line}`),
    h('p', { class: 'sentence' }, sentence),
    factList(facts),
    ...(problem === null ? [] : [h('p', { class: 'problem hot', role: 'alert' }, problem)]),
  ];
}

function ofNearest({ box_index: box, joint, tags, is_enabled: enabled, distance, on_ray: onRay, on_hitbox: onHitbox }: NearestHitbox): [string, string][] {
  const at = (point: number[]) => `(${point.map((x) => x.toFixed(3)).join(', ')})`;
  const named = [joint, ...(tags.length > 0 ? [tags.join(', ')] : []), ...(enabled ? [] : ['disabled'])].join('; ');
  return [
    ['nearest', `hitbox ${box} of ${named}`],
    ['distance', distance === 0 ? '0, the ray meets it' : length(distance)],
    ['on the ray', at(onRay)],
    ['on the hitbox', at(onHitbox)],
  ];
}
