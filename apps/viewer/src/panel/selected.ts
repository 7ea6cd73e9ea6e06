// The panel of the selected joint: its figures, and the proposed lines of bonebox.toml.

import type { App } from '../app/app';
import type { Loaded } from '../app/library';
import { proposal } from '../app/proposal';
import { percent, shapeAndSize } from '../data/units';
import { h } from './dom';
import { whenIs } from './escapes';

export function selectedJoint(app: App, { bake: { bake }, escapes }: Loaded): Node[] {
  if (app.selection.joint === null) return [];
  const name = bake.joints[app.selection.joint]?.name ?? '';
  const boxes = bake.boxes.filter((box) => box.joint_index === app.selection.joint);
  const escape = escapes?.find(({ joint }) => joint === name);
  const entries: [string, Node | string][] = [];
  const tags = [...new Set(boxes.flatMap((box) => box.tags))];
  if (tags.length > 0) entries.push(['tags', tags.join(', ')]);
  if (boxes.length === 0) entries.push(['hitbox', 'none']);
  for (const box of boxes) {
    const made = box.hull_vertices === 0 ? 'manual box' : `${box.vertices} vertices, ${box.hull_vertices} on the hull`;
    entries.push(['hitbox', `${shapeAndSize(box)}; ${made}`]);
  }
  if (escape) {
    const go = h('button', { type: 'button', class: 'go', 'data-key': 'go', onclick: () => app.visits.visit(escape) }, whenIs(escape));
    entries.push(['escape', h('span', {}, `${percent(escape.distance)} of the height at `, go)]);
    entries.push(['outside', `${percent(escape.outside)} of its skin, over all clips`]);
  }
  const action = (text: string, key: string, act: () => void) =>
    h('button', { type: 'button', title: key, 'data-key': `joint ${key}`, onclick: act }, text);
  return [
    h('h2', { class: 'selected-joint' }, name),
    h('dl', { class: 'facts' }, ...entries.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)])),
    h(
      'p',
      { class: 'actions' },
      action('Frame', 'f', () => app.frameSelection()),
      action(app.selection.hidden.has(app.selection.joint) ? 'Show' : 'Hide', 'h', () => app.hide()),
      action('Isolate', 'i', () => app.isolate()),
    ),
  ];
}

/** Shows the proposed lines of bonebox.toml, if there are any. */
export function proposed(app: App, loaded: Loaded): Node[] {
  const found = proposal(app.index, loaded, app.selection.joint);
  if (!found) return [];
  const copied = h('span', { class: 'faint', role: 'status' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(found.lines);
      copied.textContent = 'copied';
    } catch {
      copied.textContent = 'the browser does not allow the page to copy: select the lines and copy them';
    }
  };
  return [
    h(
      'div',
      { class: 'proposal' },
      h('p', {}, found.why),
      h('pre', { class: 'snippet' }, found.lines),
      h(
        'p',
        { class: 'actions' },
        h('button', { type: 'button', class: 'copy', 'data-key': 'copy', onclick: () => void copy() }, 'Copy'),
        app.hasServer &&
          !app.isComparing &&
          h(
            'button',
            { type: 'button', class: 'apply', 'data-key': 'apply', title: 'Write these lines into bonebox.toml and bake again', onclick: () => void app.apply(found.change) },
            'Apply',
          ),
        copied,
      ),
    ),
  ];
}
