// Fingers on a chart: one moves the cursor, two zoom along x. A finger that moves up or down scrolls the page (touch-action in the style sheet).
import type uPlot from "uplot";

export function followFingers(plot: uPlot): void {
  const area = plot.over;
  const fingers = new Map<number, number>();
  let pinch: { left: number; right: number } | null = null;

  const place = (event: PointerEvent) => event.clientX - area.getBoundingClientRect().left;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return [Math.min(a, b), Math.max(a, b)];
  };

  area.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 2) {
      const [from, to] = spread();
      pinch = { left: plot.posToVal(from, "x"), right: plot.posToVal(to, "x") };
    }
  });
  area.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 1) {
      plot.setCursor({ left: place(event), top: event.clientY - area.getBoundingClientRect().top });
    } else if (pinch && fingers.size === 2) {
      // The values under the two fingers stay under them.
      const [from, to] = spread();
      const perPixel = (pinch.right - pinch.left) / Math.max(20, to - from);
      const min = pinch.left - from * perPixel;
      plot.setScale("x", { min, max: min + area.clientWidth * perPixel });
    }
  });
  const lift = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    if (fingers.size < 2) pinch = null;
  };
  for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) area.addEventListener(name, lift);
}
