// Measured or published points of a figure: crosses with error bars, never joined.
import type uPlot from "uplot";
import type { FigurePoints } from "../replay/format";

/** Half of a cross and of the cap of an error bar, CSS pixels. */
const HALF = 4;
const CAP = 3;

export interface Marks {
  points: FigurePoints;
  colour: () => string;
  shown: boolean;
}

/** Smallest and largest place of all points that are shown, with their error bars; null without. */
export function extent(marks: Marks[], axis: "x" | "y"): [number, number] | null {
  let [least, greatest] = [Infinity, -Infinity];
  for (const { points, shown } of marks) {
    if (!shown) continue;
    points[axis].forEach((value, k) => {
      const error = points[axis === "x" ? "x_error" : "y_error"]?.[k] ?? 0;
      least = Math.min(least, value - error);
      greatest = Math.max(greatest, value + error);
    });
  }
  return least <= greatest ? [least, greatest] : null;
}

/** Draws them over the lines. */
export function drawMarks(u: uPlot, marks: Marks[]): void {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const { points, colour, shown } of marks) {
    if (!shown) continue;
    ctx.strokeStyle = colour();
    points.x.forEach((value, k) => {
      const [x, y] = [u.valToPos(value, "x", true), u.valToPos(points.y[k], "y", true)];
      const [dx, dy] = [points.x_error?.[k] ?? 0, points.y_error?.[k] ?? 0];
      ctx.lineWidth = unit;
      ctx.beginPath();
      if (dx > 0) bar(ctx, u.valToPos(value - dx, "x", true), y, u.valToPos(value + dx, "x", true), y, CAP * unit);
      if (dy > 0) bar(ctx, x, u.valToPos(points.y[k] - dy, "y", true), x, u.valToPos(points.y[k] + dy, "y", true), CAP * unit);
      ctx.stroke();
      const half = HALF * unit;
      ctx.lineWidth = 1.6 * unit;
      ctx.beginPath();
      ctx.moveTo(x - half, y - half);
      ctx.lineTo(x + half, y + half);
      ctx.moveTo(x - half, y + half);
      ctx.lineTo(x + half, y - half);
      ctx.stroke();
    });
  }
  ctx.restore();
}

/** A line with a cap at each end, level or upright. */
function bar(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, cap: number): void {
  const [a, b] = y0 === y1 ? [0, cap] : [cap, 0];
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  for (const [x, y] of [[x0, y0], [x1, y1]]) {
    ctx.moveTo(x - a, y - b);
    ctx.lineTo(x + a, y + b);
  }
}
