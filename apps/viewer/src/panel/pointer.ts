// Clicks on the picture.

/** A pointer that moves farther than this between press and release drags, in CSS pixels. */
const DRAG = 4;

/** Calls `act` after each click without a drag. */
export function onClick(canvas: HTMLCanvasElement, act: (event: MouseEvent) => void): void {
  let down: [number, number] = [0, 0];
  canvas.addEventListener('pointerdown', (event) => {
    down = [event.clientX, event.clientY];
  });
  canvas.addEventListener('click', (event) => {
    if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) <= DRAG) act(event);
  });
}
