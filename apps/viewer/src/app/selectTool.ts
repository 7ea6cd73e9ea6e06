// Selects joints, by clicks too, hides their hitboxes and moves the camera to them.

import * as THREE from 'three';
import type { Page } from '../state/page';
import type { Output } from './output';
import type { Picture } from './picture';
import type { Visits } from './visits';

export class SelectTool {
  constructor(
    private readonly page: Page,
    private readonly output: Output,
    private readonly picture: Picture,
    private readonly visits: Visits,
  ) {}

  /** Selects a joint. The selected joint again, or `null`, clears the selection. */
  select(joint: number | null): void {
    this.page.selection.toggle(joint);
    this.visits.leave();
    this.restyle();
    this.output.screen.reveal();
  }

  /** Selects the hitbox under the pointer. In a duel only the first character's hitboxes can be selected. */
  click(event: MouseEvent): void {
    const { page } = this;
    const hit = this.output.stage.pick(event);
    const isShared = hit !== null && page.mode === 'shared';
    const own = hit && (page.isComparing || hit.actor === page.first?.actor) ? hit.joint : null;
    const joint = isShared ? page.jointNamed(hit.actor.model.joints[hit.joint]!.name) : own;
    if (joint !== null || page.selection.joint !== null) this.select(joint);
  }

  /** Hides the selected joint's hitboxes, or shows them again. Without a selection, shows all hitboxes. */
  hide(): void {
    this.page.selection.hide();
    this.restyle();
  }

  /** Hides all hitboxes except those of the selected joint. The second call shows all hitboxes again. */
  isolate(): void {
    this.page.selection.isolate(this.page.bake?.bake.joints.length ?? 0);
    this.restyle();
  }

  showAll(): void {
    this.page.selection.showAll();
    this.restyle();
  }

  /** Moves the camera to the selected joint's hitboxes, or to the whole scene if nothing is selected. */
  frame(): void {
    const { page, output } = this;
    const { stage } = output;
    const actor = this.picture.actors[0];
    const { joint } = page.selection;
    if (joint === null || !actor) {
      stage.frame(page.hasOpponent ? 'side' : 'iso');
    } else {
      const bounds = actor.boundsOf(joint);
      const center = bounds.getCenter(new THREE.Vector3());
      // Leave some room around the hitboxes, and never come nearer than a twentieth of the height.
      const radius = Math.max(bounds.getSize(new THREE.Vector3()).length(), 0.05 * page.height);
      stage.camera.lookAt(center, stage.camera.direction, radius);
      stage.invalidate();
    }
    output.address.changed();
  }

  private restyle(): void {
    this.picture.style();
    this.output.refresh();
  }
}
