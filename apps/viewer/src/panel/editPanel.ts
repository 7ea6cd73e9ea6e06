// The panel of the editor: the fields of the selected hitbox, the commands, the figures, what is not saved, and the table.

import type { Vec3 } from '../data/baked';
import type { EditedHitbox, JointFigures } from '../data/types';
import { extents, length, percent } from '../data/units';
import { button, choice, factList, h, labeled, segmented, table, textField } from '../dom';
import { GIZMOS, SHAPES, type NumberField } from '../state/editor';
import { boxAt, boxesOf, isFitted, isSameBox, lostJoints, otherSide, restOf, shownRefs, toMerge, type BoxRef, type Edited } from '../state/edits';
import { metersAlong, metersOf } from '../state/hitboxMath';
import { toRedo, toUndo } from '../state/history';
import type { Page } from '../state/page';
import { nearestName } from '../state/sides';
import { degreesOf } from '../state/turn';
import type { Actions } from './actions';
import { whenIs } from './escapes';
import { isFound } from './hitboxTable';
import { jointName, swatch } from './name';

/** The fields and commands of the selected hitboxes, which stay in sight. */
export function editFields(page: Page, actions: Actions, edited: Edited): Node[] {
  const { selected } = page.editor;
  const last = selected.at(-1);
  const box = last && boxAt(edited, last);
  const title = !last ? 'No hitbox selected' : selected.length === 1 ? nameOf(edited, last) : `${selected.length} hitboxes, last ${nameOf(edited, last)}`;
  return [
    h('h2', { class: 'selected-joint' }, title),
    h('div', { class: 'edit-row' }, segmented('handles', GIZMOS, page.editor.gizmo, (gizmo) => actions.edit.use(gizmo)), ...undoButtons(page, actions)),
    ...(last && box ? [...fields(actions, edited, last, box), commands(page, actions, edited), figures(page, edited, last.joint)] : [h('p', { class: 'faint' }, 'Click a hitbox in the picture or in the table. Shift click selects several.')]),
  ];
}

function nameOf(edited: Edited, { joint, index }: BoxRef): string {
  const count = boxesOf(edited, joint).length;
  return count > 1 ? `${joint}, hitbox ${index + 1} of ${count}` : joint;
}

function undoButtons({ editor: { history } }: Page, actions: Actions): Node[] {
  const [undo, redo] = [toUndo(history), toRedo(history)];
  return [
    button('undo', () => actions.history.undo(), { id: 'undo', disabled: !undo, title: undo ? `Undo: ${undo.label} (Ctrl Z)` : 'Nothing to undo' }, 'Undo'),
    button('redo', () => actions.history.redo(), { id: 'redo', disabled: !redo, title: redo ? `Redo: ${redo.label} (Ctrl Shift Z)` : 'Nothing to redo' }, 'Redo'),
  ];
}

/** A length of 0.1234567 m stands in a field as 0.12346. */
function shown(number: number): string {
  return String(Number(number.toFixed(5)) + 0);
}

function fields(actions: Actions, edited: Edited, { joint }: BoxRef, box: EditedHitbox): Node[] {
  const rest = restOf(edited.model, joint);
  const center = metersOf(rest).map((meters, axis) => meters * box.center[axis]!) as Vec3;
  const size = metersAlong(box, rest).map((meters, axis) => 2 * meters * box.half_extents[axis]!) as Vec3;
  const number = (field: NumberField, axis: number, value: number, label: string, step: number) =>
    textField(`edit-${field}-${'xyz'[axis]}`, shown(value), (text) => actions.edit.setNumber(field, axis, Number(text.replace(',', '.'))), {
      type: 'number',
      step: String(step),
      'aria-label': label,
    });
  const row = (title: string, unit: string, field: NumberField, values: [number, number, string][], step: number) =>
    h('div', { class: 'numbers' }, h('span', {}, title, h('small', {}, ` ${unit}`)), ...values.map(([axis, value, name]) => h('label', {}, h('small', {}, name), number(field, axis, value, `${title} ${name} in ${unit}`, step))));
  const sizes: [number, number, string][] =
    box.shape === 'box' ? [[0, size[0], 'x'], [1, size[1], 'y'], [2, size[2], 'z']] : box.shape === 'capsule' ? [[0, size[0], 'width'], [1, size[1], 'length y']] : [[0, size[0], 'width']];
  const xyz = ([x, y, z]: Vec3): [number, number, string][] => [[0, x, 'x'], [1, y, 'y'], [2, z, 'z']];
  const tags = textField('edit-tags', box.tags.join(', '), (text) => actions.edit.tag(text.split(',').map((tag) => tag.trim()).filter((tag) => tag !== '')), { placeholder: 'head, weak spot', title: 'Tags of the selected hitboxes, with commas between them' });
  const isHull = edited.edits[joint] === undefined && edited.bake.bake.boxes.some((each) => each.joint === joint && each.shape === 'hull');
  return [
    row('center', 'm', 'center', xyz(center), 0.005),
    row('size', 'm', 'size', sizes, 0.005),
    row('turn', '°', 'turn', xyz(degreesOf(box.orientation).map((degrees) => Number(degrees.toFixed(2))) as Vec3), 1),
    h('div', { class: 'edit-row' }, segmented('shape', SHAPES, box.shape, (shape) => actions.edit.reshape(shape)), labeled('tags', tags)),
    ...(isHull ? [h('p', { class: 'note' }, 'An edited hitbox cannot be a hull: your first edit of this joint makes each of its hulls the box around it.')] : []),
    ...(box.role === 'hurt' ? [] : [h('p', { class: 'faint' }, `role ${box.role}`)]),
  ];
}

function commands({ editor: { selected }, edits, bake }: Page, actions: Actions, edited: Edited): Node {
  const joints = [...new Set(selected.map(({ joint }) => joint))];
  const others = joints.map((joint) => otherSide(edited.model, joint) ?? `${joint}, in the middle`);
  const isFresh = joints.every((joint) => edits[joint] === undefined && bake && isFitted(bake, joint));
  const action = (text: string, title: string, act: () => void, disabled = false) => button(`edit ${text}`, act, { title, disabled, 'data-edit': text }, text);
  return h(
    'p',
    { class: 'actions' },
    action('Duplicate', 'A copy of each selected hitbox (Shift D)', () => actions.edit.duplicate()),
    action('Delete', 'Delete the selected hitboxes (Del)', () => actions.edit.remove()),
    action('Mirror', `Mirror to ${others.join(', ')}`, () => actions.edit.mirror()),
    action('Merge', 'One box around the selected hitboxes, or around all of the joint', () => actions.edit.merge(), toMerge(edited, selected).length < 2),
    action('Split', 'Two halves along the longest axis', () => actions.edit.split()),
    action('Reset', 'Back to the fitted hitboxes of the joint', () => actions.edit.reset(joints), isFresh),
  );
}

/** The figures of a joint and of all skin, with the edits. */
function figures(page: Page, edited: Edited, joint: string): Node {
  const { editor, isEdited, canBake } = page;
  const coverage = editor.whole?.coverage ?? (isEdited ? null : edited.bake.bake.coverage);
  const known = editor.figures.get(joint);
  const waiting = canBake ? 'measuring…' : 'this report was written without the baker, so it does not measure edits; run `bonebox view`';
  return factList([
    ['its skin', known ? figuresText(page, known) : waiting],
    ['all skin', coverage ? `${percent(coverage.surface_clips)} covered, worst escape ${percent(coverage.max_escape)} of the height` : waiting],
  ]);
}

/** What is not saved, and the field to add a hitbox. */
export function editState(page: Page, actions: Actions, edited: Edited): Node[] {
  const { editor, edits } = page;
  const joints = [...new Set(editor.selected.map(({ joint }) => joint))];
  const parts: Node[] = unsaved(page, actions, edited);
  if (editor.problem) parts.push(h('pre', { class: 'edit-problem', role: 'alert' }, editor.problem));
  if (editor.note) parts.push(h('p', { class: 'note', role: 'status' }, editor.note));
  const names = edited.bake.bake.joints.map(({ name }) => name);
  const present = joints.at(-1) ?? names[0] ?? '';
  const joint = choice('Joint of the new hitbox', names.map((name) => ({ value: name, text: name })), present, () => {}, 'edit-joint');
  parts.push(h('p', { class: 'actions' }, button('add', () => actions.edit.add(joint.value), { class: 'add' }, 'Add a hitbox'), ' at ', joint));
  if (Object.keys(edits).length === 0 && !editor.note) parts.push(h('p', { class: 'faint' }, 'What you edit is written into bonebox.toml when you save it.'));
  return parts;
}

function figuresText({ height }: Page, { inside, own, escape }: JointFigures): string {
  const away = escape && escape.distance > 0 ? `, escape ${length(escape.distance * height)} (${percent(escape.distance)}) at ${whenIs(escape)}` : '';
  return `${percent(inside)} covered, ${percent(own)} by own hitboxes${away}`;
}

function unsaved(page: Page, actions: Actions, edited: Edited): Node[] {
  const { edits, hasServer } = page;
  const joints = Object.keys(edits);
  if (joints.length === 0) return [];
  const lost = lostJoints(edited);
  const names = edited.bake.bake.joints.map(({ name }) => name);
  const items = joints.map((joint) => {
    const edit = edits[joint]!;
    const drop = button(`discard ${joint}`, () => actions.edit.discard([joint]), { class: 'more', title: `Discard the edit of ${joint}` }, 'discard');
    const nearest = lost.includes(joint) ? nearestName(joint, names) : null;
    if (nearest !== null) {
      const use = button(`use ${joint}`, () => actions.edit.rename(joint, nearest), { class: 'more' }, `use ${nearest}`);
      return h('li', { 'data-lost': joint }, `the character has no joint ${joint} any more; the nearest is ${nearest}: `, use, ' ', drop);
    }
    const text = edit === 'fitted' ? `${joint}: fitted again after Save` : `${joint}: ${edit.length} ${edit.length === 1 ? 'hitbox' : 'hitboxes'}`;
    return h('li', { 'data-edited': joint }, text, ' ', drop);
  });
  const save = button('save edits', () => actions.edit.save(), { class: 'save', title: hasServer ? 'Write the edits into bonebox.toml and bake again' : 'Download the lines of bonebox.toml' }, hasServer ? 'Save' : 'Save as bonebox.toml');
  const discard = button('discard edits', () => actions.edit.discard(joints), {}, 'Discard all');
  return [h('div', { class: 'unsaved' }, h('strong', {}, 'Not saved'), h('ul', {}, ...items), h('p', { class: 'actions' }, save, discard, h('span', { class: 'faint' }, 'kept until you close the tab')))];
}

/** The table of all hitboxes as they are edited. */
export function editTable({ editor, edits, bake }: Page, actions: Actions, edited: Edited, search: string): Node {
  const names = edited.bake.bake.joints.map(({ name }) => name);
  const rows = shownRefs(edited).flatMap((ref) => {
    const box = boxAt(edited, ref)!;
    if (!isFound({ joint: ref.joint, tags: box.tags }, search)) return [];
    const isSelected = editor.selected.some((each) => isSameBox(each, ref));
    const along = metersAlong(box, restOf(edited.model, ref.joint));
    const size = extents(along.map((meters, axis) => 2 * meters * box.half_extents[axis]!));
    const shape = edits[ref.joint] === undefined ? (edited.bake.bake.boxes.filter((each) => each.joint === ref.joint)[ref.index]?.shape ?? 'box') : box.shape;
    const act = (event: MouseEvent | KeyboardEvent) => actions.edit.select(ref, event.shiftKey || event.ctrlKey || event.metaKey);
    const tags = box.tags.map((tag) => h('span', { class: 'tag' }, tag));
    return [
      h(
        'tr',
        {
          tabIndex: 0,
          'aria-selected': String(isSelected),
          'data-joint': ref.joint,
          'data-index': String(ref.index),
          'data-key': `row ${ref.joint} ${ref.index}`,
          onclick: act,
          onkeydown: (event: KeyboardEvent) => {
            if (event.key === 'Enter') act(event);
          },
        },
        h('th', { scope: 'row' }, h('div', {}, swatch(bake?.colors[names.indexOf(ref.joint)]), jointName(ref.joint), ...tags)),
        h('td', {}, shape),
        h('td', {}, size),
        h('td', {}, edits[ref.joint] === undefined ? '' : 'edited'),
      ),
    ];
  });
  return table('boxes', ['joint', 'shape', 'size', ''], rows);
}
