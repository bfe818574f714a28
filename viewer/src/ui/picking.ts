// Picking a body by click or tap. A drag turns the camera and picks nothing.
import type { Picture } from "../scene/picture";

const STILL_PX = 6;
/** A finger is wide: where it meets nothing, places around it are tried. */
const FINGER_PX = 14;

/** `point` takes a click for itself where it returns true. */
export function pickingOn(picture: Picture, pick: (body: number | null) => void, point: (x: number, y: number) => boolean): void {
  const { canvas } = picture.stage;
  let down: { x: number; y: number; id: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    // A second finger makes it a gesture.
    down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, id: event.pointerId } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const from = down;
    down = null;
    if (from === null || from.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) return;
    if (point(event.clientX, event.clientY)) return;
    const tries = [[0, 0]];
    if (event.pointerType === "touch") tries.push([FINGER_PX, 0], [-FINGER_PX, 0], [0, FINGER_PX], [0, -FINGER_PX]);
    for (const [dx, dy] of tries) {
      const body = picture.machine.hit(picture.stage.rayAt(event.clientX + dx, event.clientY + dy));
      if (body !== null) return pick(body);
    }
    pick(null);
  });
}
