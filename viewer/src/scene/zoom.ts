// The wheel brings nearer what lies under the pointer and turns the camera about it from then on. The camera never enters what it looks at:
// it approaches a share of the distance that is left. Over the empty sky it approaches what it looked at before.
import { Vector3 } from "three";
import type { Probe } from "./probe";
import type { Stage } from "./stage";

/** Share of the distance for one notch of a wheel. */
const NOTCH = 0.16;
const NOTCH_PIXELS = 100;
const MOST_NOTCHES = 2;

export function zoomOn(stage: Stage, probe: () => Probe, moved: () => void): void {
  const { canvas, camera, controls } = stage;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // The controls would move towards the middle of the picture.
      event.stopImmediatePropagation();
      const pixels = event.deltaMode === 0 ? event.deltaY : NOTCH_PIXELS * Math.sign(event.deltaY);
      const notches = Math.min(Math.max(pixels / NOTCH_PIXELS, -MOST_NOTCHES), MOST_NOTCHES);
      zoom(notches, event.clientX, event.clientY);
      moved();
    },
    { passive: false, capture: true },
  );

  function zoom(notches: number, x: number, y: number): void {
    const { min, max } = stage.distances;
    const under = notches < 0 ? probe().point(stage.rayAt(x, y)) : null;
    const about = under ?? controls.target;
    const distance = camera.position.distanceTo(about);
    const wanted = Math.min(Math.max(distance * (1 + NOTCH) ** notches, min), max);
    if (!(distance > 0) || (notches < 0 && wanted >= distance)) return;
    const part = wanted / distance;
    camera.position.sub(about).multiplyScalar(part).add(about);
    if (under === null) return;
    // The point under the pointer stays there; the camera looks at the same depth along its axis.
    const axis = camera.getWorldDirection(new Vector3());
    const depth = new Vector3().subVectors(under, camera.position).dot(axis);
    controls.target.copy(camera.position).addScaledVector(axis, Math.max(depth, min));
  }
}
