// The side panel: figures, escapes, and the table of hitboxes.

import type { App } from '../app/app';
import { comparison } from './compare';
import { h, replaceKeepingFocus } from './dom';
import { DuelPanel } from './duelPanel';
import { worstEscapes } from './escapes';
import { brokenLimits, facts, warnings } from './facts';
import { hitboxTable, isFound } from './hitboxTable';
import { LivePanel } from './livePanel';
import { proposed, selectedJoint } from './selected';

export class Aside {
  readonly root = h('aside', { tabIndex: -1 });
  private readonly duel: DuelPanel;
  private readonly live: LivePanel;
  private readonly search = h('input', { type: 'search', id: 'search', placeholder: 'Search for a joint or a tag (/)', 'aria-label': 'Search for a joint or a tag' });
  private allEscapes = false;

  constructor(private readonly app: App) {
    this.duel = new DuelPanel(app);
    this.live = new LivePanel(app);
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
    replaceKeepingFocus(this.root, ...this.parts());
    this.root.scrollTop = scrollTop;
  }

  updateTime(): void {
    if (this.app.mode === 'duel') this.duel.update();
    if (this.app.mode === 'live') this.live.update();
  }

  /** Scrolls to the selected row. */
  reveal(): void {
    this.root.querySelector('tr[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  private selectFound(): void {
    const joint = this.root.querySelector('table.boxes tbody tr')?.getAttribute('data-joint') ?? null;
    const number = this.app.jointNamed(joint);
    if (number !== null && number !== this.app.selection.joint) this.app.select(number);
  }

  private parts(): (Node | string)[] {
    const { app } = this;
    if (!app.bake) return [];
    if (app.mode === 'duel') return this.duel.parts();
    if (app.mode === 'live') return this.live.parts();
    const parts = app.isComparing ? comparison(app) : [];
    const current = app.current;
    if (!current) return [...parts, h('p', { class: 'waiting faint' }, 'baking…')];
    if (app.mode === 'boxes') parts.push(facts(current.bake, app.hasServer, this.whyClay()));
    parts.push(...brokenLimits(current.bake));
    parts.push(...selectedJoint(app, current));
    parts.push(...proposed(app, current));
    parts.push(
      ...worstEscapes(current, app.visits.visited, this.allEscapes, {
        visit: (escape) => app.visits.visit(escape),
        all: () => {
          this.allEscapes = !this.allEscapes;
          this.update();
        },
      }),
    );
    parts.push(...warnings(current.bake.bake));
    const { boxes } = current.bake.bake;
    const found = boxes.filter((box) => isFound(box, this.search.value)).length;
    const hidden = boxes.filter((box) => app.selection.hidden.has(box.joint_index)).length;
    const count = found < boxes.length ? `${found} of ${boxes.length}` : `${boxes.length}`;
    const showAll = h('button', { type: 'button', class: 'more', 'data-key': 'show all', onclick: () => app.showAll() }, `${hidden} hidden: show all`);
    parts.push(h('h2', { class: 'with-action' }, `Hitboxes (${count})`, hidden > 0 ? showAll : null));
    parts.push(this.search);
    parts.push(
      hitboxTable(
        current.bake,
        current.escapes,
        { selected: app.selection.joint, hidden: app.selection.hidden, sort: app.sort, search: this.search.value },
        { select: (joint) => app.select(joint), sort: (key) => app.setSort(key) },
      ),
    );
    return parts;
  }

  private whyClay(): string | null {
    const { app } = this;
    const isBusy = app.busy || !app.hasServer || app.display.surface !== 'textured';
    const model = app.current?.model;
    if (isBusy || !model || app.library.isDressed(model)) return null;
    return model.meshes.length === 0 ? 'none: a baked file has no surface' : 'in clay: the page cannot read the materials of this file';
  }
}
