// The panel of the selected joint: its figures, and the proposed lines of bonebox.toml.

import { percent, shapeAndSize } from '../data/units';
import { button, factList, h } from '../dom';
import type { Loaded } from '../state/library';
import type { Page } from '../state/page';
import { proposals } from '../state/proposal';
import type { Actions } from './actions';
import { bodyFacts } from './bodyFacts';
import { whenIs } from './escapes';

export function selectedJoint({ selection }: Page, actions: Actions, { bake: whole, escapes }: Loaded): Node[] {
  const { bake } = whole;
  if (selection.joint === null) return [];
  const name = bake.joints[selection.joint]?.name ?? '';
  const boxes = bake.boxes.filter((box) => box.joint_index === selection.joint);
  const escape = escapes?.find(({ joint }) => joint === name);
  const entries: [string, Node | string][] = [];
  const tags = [...new Set(boxes.flatMap((box) => box.tags))];
  if (tags.length > 0) entries.push(['tags', tags.join(', ')]);
  if (boxes.length === 0) entries.push(['hitbox', 'none']);
  for (const box of boxes) {
    const made = box.hull_vertices === 0 ? 'manual box' : `${box.vertices} vertices, ${box.hull_vertices} on the hull`;
    entries.push(['hitbox', `${shapeAndSize(whole, box)}; ${made}`]);
  }
  entries.push(...bodyFacts(whole, selection.joint));
  if (escape) {
    const go = button('go', () => actions.visits.visit(escape), { class: 'go' }, whenIs(escape));
    entries.push(['escape', h('span', {}, `${percent(escape.distance)} of the height at `, go)]);
    entries.push(['outside', `${percent(escape.outside)} of its skin, over all clips`]);
  }
  const action = (text: string, key: string, act: () => void) => button(`joint ${key}`, act, { title: key }, text);
  return [
    h('h2', { class: 'selected-joint' }, name),
    factList(entries),
    h(
      'p',
      { class: 'actions' },
      action('Frame', 'f', () => actions.selecting.frame()),
      action(selection.hidden.has(selection.joint) ? 'Show' : 'Hide', 'h', () => actions.selecting.hide()),
      action('Isolate', 'i', () => actions.selecting.isolate()),
    ),
  ];
}

/** Shows the proposed lines of bonebox.toml, if there are any. */
export function proposed(page: Page, actions: Actions, loaded: Loaded): Node[] {
  const canApply = page.hasServer && !page.isComparing;
  return proposals(page.index, loaded, page.selection.joint).map(({ key, why, change, lines }) =>
    h('div', { class: 'proposal', 'data-proposal': key }, h('p', {}, why), h('pre', { class: 'snippet' }, lines), copyAndApply(key, lines, canApply ? () => actions.apply(change) : null)),
  );
}

/** Buttons that copy lines of bonebox.toml, and apply them unless `apply` is null. */
export function copyAndApply(key: string, lines: string, apply: (() => void) | null): Node {
  const copied = h('span', { class: 'faint', role: 'status' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(lines);
      copied.textContent = 'copied';
    } catch {
      copied.textContent = 'the browser does not allow the page to copy: select the lines and copy them';
    }
  };
  return h(
    'p',
    { class: 'actions' },
    button(`copy ${key}`, () => void copy(), { class: 'copy' }, 'Copy'),
    apply && button(`apply ${key}`, apply, { class: 'apply', title: 'Write these lines into bonebox.toml and bake again' }, 'Apply'),
    copied,
  );
}
