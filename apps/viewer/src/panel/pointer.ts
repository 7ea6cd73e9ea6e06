// A click without a drag selects the hitbox under the pointer, or casts a ray there.

import type { App } from '../app/app';

/** A pointer that moves farther than this between press and release drags, in CSS pixels. */
const DRAG = 4;

export function followPointer(app: App): void {
  const { canvas } = app.stage;
  let down: [number, number] = [0, 0];
  canvas.addEventListener('pointerdown', (event) => {
    down = [event.clientX, event.clientY];
  });
  canvas.addEventListener('click', (event) => {
    if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) > DRAG) return;
    if (app.rayTool.isReady) return void app.rayTool.click(event);
    const hit = app.stage.pick(event);
    const joint = hit && app.canSelect(hit.actor) ? hit.joint : null;
    if (joint !== null || app.selection.joint !== null) app.select(joint);
  });
}
