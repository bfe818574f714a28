// Charts against something other than time (pull against slip): the line may turn back, while uPlot wants x to rise. It is given the points
// sorted by x, which keeps its scales and zoom right, and draws them in the order of the run.
import type uPlot from "uplot";

export interface Sorted {
  data: (number | null)[][];
  /** Place in `data` of each point, in the order of the run. */
  order: Int32Array;
}

/** Points that have no x are left out: they have no place. */
export function sortByX(x: (number | null)[], lines: (number | null)[][]): Sorted {
  const rows = x.flatMap((value, row) => (value === null ? [] : [row]));
  const rising = [...rows].sort((a, b) => (x[a] as number) - (x[b] as number));
  const place = new Map(rising.map((row, n) => [row, n]));
  return {
    data: [x, ...lines].map((values) => rising.map((row) => values[row])),
    order: Int32Array.from(rows, (row) => place.get(row) as number),
  };
}

/** Draws the points of a line in the order of the run. */
export function pathInOrder(order: Int32Array): uPlot.Series.PathBuilder {
  return (u, series) => {
    const [xs, ys] = [u.data[0], u.data[series]];
    const stroke = new Path2D();
    let drawing = false;
    for (const n of order) {
      const [x, y] = [xs[n], ys[n]];
      if (x === null || x === undefined || y === null || y === undefined) {
        drawing = false;
        continue;
      }
      const [left, top] = [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
      if (drawing) stroke.lineTo(left, top);
      else stroke.moveTo(left, top);
      drawing = true;
    }
    const clip = new Path2D();
    clip.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    return { stroke, fill: null, clip, band: null, gaps: null, flags: 1 } as unknown as uPlot.Series.Paths;
  };
}

/** Number of the point of a line that lies nearest to the cursor on the screen. */
export function nearest(u: uPlot, series: number): number | null {
  const { left = -1, top = -1 } = u.cursor;
  if (left < 0 || top < 0) return null;
  const [xs, ys] = [u.data[0], u.data[series]];
  let [best, distance] = [null as number | null, Infinity];
  for (let n = 0; n < xs.length; n++) {
    const [x, y] = [xs[n], ys[n]];
    if (x === null || x === undefined || y === null || y === undefined) continue;
    const d = (u.valToPos(x, "x") - left) ** 2 + (u.valToPos(y, "y") - top) ** 2;
    if (d < distance) [best, distance] = [n, d];
  }
  return best;
}
