// The side panel: figures, escapes, and the table of hitboxes.

import { button, h, replaceKeepingFocus } from '../dom';
import type { Page } from '../state/page';
import type { Actions } from './actions';
import { ragdollLegend } from './bodyFacts';
import { comparison } from './compare';
import { DuelPanel } from './duelPanel';
import { editFields, editState, editTable } from './editPanel';
import { worstEscapes } from './escapes';
import { brokenLimits, facts, warnings } from './facts';
import { hitboxTable, isFound, type SortKey } from './hitboxTable';
import { LivePanel } from './livePanel';
import { proposed, selectedJoint } from './selected';
import { sharedPanel } from './sharedPanel';
import { ShotsPanel } from './shotsPanel';

export class Aside {
  readonly root = h('aside', { tabIndex: -1 });
  private readonly duel: DuelPanel;
  private readonly live: LivePanel;
  private readonly shots: ShotsPanel;
  private readonly search = h('input', { type: 'search', id: 'search', placeholder: 'Search for a joint or a tag (/)', 'aria-label': 'Search for a joint or a tag' });
  private readonly ownOptions = { open: false };
  private allEscapes = false;
  private sort: SortKey = 'escape';

  constructor(
    private readonly page: Page,
    private readonly actions: Actions,
  ) {
    this.duel = new DuelPanel(page, actions);
    this.live = new LivePanel(page, actions);
    this.shots = new ShotsPanel(page, actions);
    this.search.addEventListener('input', () => this.update());
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        this.search.value = '';
        this.search.blur();
        this.update();
      }
      if (event.key === 'Enter') this.selectFound();
    });
  }

  update(): void {
    const { scrollTop } = this.root;
    const row = this.root.querySelector('tr[aria-selected=true]');
    const [key, before] = [row?.getAttribute('data-key'), row?.getBoundingClientRect().top ?? 0];
    replaceKeepingFocus(this.root, ...this.parts());
    const top = this.root.querySelector<HTMLElement>('.in-sight')?.offsetHeight ?? 0;
    this.root.style.setProperty('--in-sight', `${top}px`);
    this.root.scrollTop = scrollTop;
    // The row stays where it is when something above the table grows.
    const same = key ? this.root.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    if (same) this.root.scrollTop += same.getBoundingClientRect().top - before;
  }

  updateTime(): void {
    if (this.page.mode === 'duel') this.duel.update();
    if (this.page.mode === 'live') this.live.update();
  }

  /** Scrolls to the selected row; the facts above the table stay in sight. */
  reveal(): void {
    this.root.querySelector('tr[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Shows other entries, or shows them in another order. */
  private show(change: { allEscapes?: boolean; sort?: SortKey }): void {
    Object.assign(this, change);
    this.update();
  }

  private selectFound(): void {
    const joint = this.root.querySelector('table.boxes tbody tr')?.getAttribute('data-joint') ?? null;
    if (this.page.mode === 'edit' && joint !== null) return this.actions.edit.select({ joint, index: 0 });
    const number = this.page.jointNamed(joint);
    if (number !== null && number !== this.page.selection.joint) this.actions.selecting.select(number);
  }

  private parts(): (Node | string)[] {
    const { page, actions } = this;
    if (!page.bake) return [];
    if (page.mode === 'duel') return this.duel.parts();
    if (page.mode === 'live') return this.live.parts();
    if (page.mode === 'shots') return this.shots.parts();
    if (page.mode === 'edit') return this.editParts();
    const parts = page.isComparing ? comparison(page, actions, this.ownOptions) : [];
    const { current, selection } = page;
    if (page.mode === 'shared' && page.bake.shared) parts.push(...sharedPanel(page, actions, page.bake.shared));
    if (!current) return [...parts, h('p', { class: 'waiting faint' }, 'baking…')];
    const selected = selectedJoint(page, actions, current);
    // The facts stay in sight, whichever row of the table was clicked.
    if (selected.length > 0) parts.unshift(h('section', { class: 'in-sight' }, ...selected));
    if (page.mode === 'boxes') parts.push(facts(current.bake, page.hasServer, this.whyClay()));
    if (page.isEdited) {
      const joints = Object.keys(page.edits).join(', ');
      parts.push(h('p', { class: 'note' }, `Edited and not saved, so not shown here: ${joints}. `, button('to edit', () => actions.setMode('edit'), { class: 'go' }, 'Edit')));
    }
    if (page.hasRagdoll && page.display.ragdoll) parts.push(...ragdollLegend(current.bake));
    parts.push(
      ...brokenLimits(current.bake),
      ...proposed(page, actions, current),
      ...worstEscapes(page, actions, current, this.allEscapes, (allEscapes) => this.show({ allEscapes })),
      ...warnings(current.bake.bake),
    );
    const { boxes } = current.bake.bake;
    const found = boxes.filter((box) => isFound(box, this.search.value)).length;
    const hidden = boxes.filter((box) => selection.hidden.has(box.joint_index)).length;
    const count = found < boxes.length ? `${found} of ${boxes.length}` : `${boxes.length}`;
    const showAll = button('show all', () => actions.selecting.showAll(), { class: 'more' }, `${hidden} hidden: show all`);
    return [
      ...parts,
      h('h2', { class: 'with-action' }, `Hitboxes (${count})`, hidden > 0 ? showAll : null),
      this.search,
      hitboxTable(page, actions, current, this.search.value, this.sort, (sort) => this.show({ sort })),
    ];
  }

  private editParts(): (Node | string)[] {
    const { page, actions } = this;
    const { edited, first, editor } = page;
    if (!edited || !first) return [];
    const measured = editor.whole?.joints.flatMap(({ escape }) => escape ?? []).sort((a, b) => b.distance - a.distance);
    const loaded = { ...first, escapes: measured ?? (page.isEdited && page.canBake ? null : first.escapes) };
    const boxes = page.hitboxes;
    const found = boxes.filter((box) => isFound(box, this.search.value)).length;
    return [
      h('section', { class: 'in-sight' }, ...editFields(page, actions, edited)),
      ...editState(page, actions, edited),
      ...worstEscapes(page, actions, loaded, this.allEscapes, (allEscapes) => this.show({ allEscapes })),
      h('h2', {}, `Hitboxes (${found < boxes.length ? `${found} of ${boxes.length}` : boxes.length})`),
      this.search,
      editTable(page, actions, edited, this.search.value),
    ];
  }

  private whyClay(): string | null {
    const { page } = this;
    const isBusy = page.asked > 0 || !page.canBake || page.display.surface !== 'textured';
    const model = page.current?.model;
    if (isBusy || !model || page.library.isDressed(model)) return null;
    return model.meshes.length === 0 ? 'none: a baked file has no surface' : 'in clay: the page cannot read the materials of this file';
  }
}
