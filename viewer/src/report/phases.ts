// Phases of a run behind a chart against time: every other one shaded, each with its name at the top where there is room for it.
import type uPlot from "uplot";
import type { Colours } from "./colours";
import type { Phase } from "../replay/format";

/** Size of the names, CSS pixels. */
const SIZE = 11;

/** Room above the lines for the phases' names, CSS pixels. */
export const PHASE_ROOM = SIZE + 6;

/** The name, shortened to a width; nothing if not even its beginning fits. */
function shortened(ctx: CanvasRenderingContext2D, label: string, width: number): string {
  if (ctx.measureText(label).width <= width) return label;
  for (let length = label.length - 1; length >= 4; length--) {
    const text = `${label.slice(0, length).trimEnd()}…`;
    if (ctx.measureText(text).width <= width) return text;
  }
  return "";
}

/** Draws what lies behind the lines; `colours` is asked each time, since the page may turn dark. */
export function drawPhases(u: uPlot, phases: Phase[], colours: () => Colours): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio || 1;
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  ctx.font = `${SIZE * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "center";
  phases.forEach((phase, n) => {
    const from = Math.max(u.valToPos(phase.from, "x", true), bbox.left);
    const to = Math.min(u.valToPos(phase.to, "x", true), right);
    if (!(to > from)) return;
    if (n % 2 === 0) {
      ctx.fillStyle = colours().phase;
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
    }
    ctx.strokeStyle = colours().grid;
    ctx.lineWidth = ratio;
    ctx.strokeRect(from, bbox.top - PHASE_ROOM * ratio, 0, bbox.height + PHASE_ROOM * ratio);
    ctx.fillStyle = colours().faint;
    ctx.fillText(shortened(ctx, phase.label, to - from - 6 * ratio), (from + to) / 2, bbox.top - 2 * ratio);
  });
  ctx.restore();
}
