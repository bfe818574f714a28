// One chart: axes with label and unit, phases behind it, its legend below, zoom by dragging, a cursor that keys can move.
import uPlot from "uplot";
import { type Colours, coloursOf, lineColour, lineDash } from "./colours";
import { nearest, pathInOrder, sortByX } from "./curve";
import type { FigureData, Phase } from "../replay/format";
import { number } from "./format";
import { makeLegend } from "./legend";
import { drawMarks, extent, type Marks } from "./marks";
import { drawPhases, PHASE_ROOM } from "./phases";
import { axisTicks } from "../ticks";
import { followFingers } from "./touch";

/** Cursors of all charts against time move together. */
const SYNC = "time";
const FONT = "12px system-ui, sans-serif";

export interface Chart {
  plot: uPlot;
  /** Fits the chart to a width, CSS pixels. */
  resize(width: number): void;
  /** Takes the colours of the page again. */
  recolour(): void;
}

/** Higher than wide on a phone, a landscape on a screen. */
export const heightFor = (width: number): number => Math.round(Math.min(360, Math.max(240, width * 0.45)));

function axis({ label, unit }: { label: string; unit: string }, size: number, colours: () => Colours): uPlot.Axis {
  return {
    ...axisTicks(label, unit),
    labelFont: FONT,
    font: FONT,
    size,
    labelSize: 22,
    labelGap: 2,
    stroke: () => colours().text,
    grid: { stroke: () => colours().grid, width: 1 },
    ticks: { stroke: () => colours().grid, width: 1 },
  };
}

/** Wide enough for the longest label of the axis. */
function fitted(u: uPlot, values: string[] | null, at: number, cycle: number): number {
  const before = (u.axes[at] as { _size?: number })._size ?? 0;
  if (cycle > 1 || !values) return before || 50;
  u.ctx.save();
  u.ctx.font = FONT;
  const widest = Math.max(0, ...values.map((value) => u.ctx.measureText(value).width));
  u.ctx.restore();
  return Math.ceil(widest) + 18;
}

/** A curve that ends at the border would be hard to see there. */
const xRange = (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax =>
  min === null || max === null || min === max ? [0, 1] : [min - 0.02 * (max - min), max + 0.02 * (max - min)];

/** A line that never changes still needs a scale around it, and a nearly constant one must not look like noise. */
function yRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min <= 1e-9 * size || size === 0) {
    const pad = size === 0 ? 1 : 0.1 * size;
    return [min - pad, max + pad];
  }
  return uPlot.rangeNum(min, max, 0.06, true);
}

export function makeChart(host: HTMLElement, figure: FigureData, phases: Phase[], seek: (time: number) => void): Chart {
  let palette = coloursOf(host);
  const colours = () => palette;
  const { time } = figure.x;
  const lines = figure.y.lines;
  const { data, order } = sortByX(figure.x.values, lines.map((line) => line.values));
  const shaded = time ? phases : [];
  const marks: Marks[] = (figure.points ?? []).map((points, n) => ({ points, colour: () => lineColour(palette, lines.length + n), shown: true }));
  const around = (axis: "x" | "y", min: number | null, max: number | null): [number | null, number | null] => {
    const found = extent(marks, axis);
    if (found === null) return [min, max];
    return [Math.min(min ?? Infinity, found[0]), Math.max(max ?? -Infinity, found[1])];
  };
  const series: uPlot.Series[] = lines.map((line, n) => ({
    label: line.label,
    stroke: () => lineColour(palette, n),
    dash: lineDash(n),
    width: 1.5,
    pxAlign: 0,
    points: { show: line.measured === true || (data[0]?.length ?? 0) <= 40 },
    ...(line.measured === true ? { paths: () => null } : time ? {} : { paths: pathInOrder(order) }),
  }));

  const entries = lines.map((line, n) => ({
    label: line.label,
    about: line.about,
    colour: lineColour(palette, n),
    dashed: lineDash(n) !== undefined,
  }));
  const marked = marks.map(({ points, colour }) => ({ label: points.label, about: points.source, colour: colour(), dashed: false, marks: true }));
  const legend = makeLegend(figure.x.label, [...entries, ...marked], (n, show) => {
    if (n < lines.length) return void plot.setSeries(n + 1, { show });
    marks[n - lines.length].shown = show;
    plot.setData(plot.data, true);
  });
  const unitOfX = figure.x.unit && figure.x.unit !== "1" ? ` ${figure.x.unit}` : "";
  const read = (u: uPlot) => {
    const indices = u.cursor.idxs ?? [];
    const first = indices.find((index) => index !== null && index !== undefined);
    if (first === null || first === undefined) return legend.show(null, []);
    legend.show(`${number(u.data[0][first], 5)}${unitOfX}`, lines.map((_, n) => {
      const index = indices[n + 1];
      return index === null || index === undefined ? null : u.data[n + 1][index];
    }));
  };

  const width = Math.max(260, host.clientWidth);
  const options: uPlot.Options = {
    width,
    height: heightFor(width),
    padding: [shaded.length > 0 ? PHASE_ROOM + 4 : 10, 14, 0, 4],
    scales: {
      x: time ? { time: false } : { time: false, range: (u, min, max) => xRange(u, ...around("x", min, max)) },
      y: { range: (u, min, max) => yRange(u, ...around("y", min, max)) },
    },
    axes: [
      axis(figure.x, 34, colours),
      { ...axis(figure.y, 50, colours), size: fitted as unknown as uPlot.Axis.Size },
    ],
    series: [{}, ...series],
    legend: { show: false },
    cursor: {
      drag: { x: true, y: !time, uni: 20 },
      ...(time ? { sync: { key: SYNC, scales: ["x", null] } } : { dataIdx: (u: uPlot, n: number) => nearest(u, n) as number }),
    },
    hooks: { drawClear: [(u) => drawPhases(u, shaded, colours)], draw: [(u) => drawMarks(u, marks)], setCursor: [read] },
  };
  const plot = new uPlot(options, data as uPlot.AlignedData, host);
  host.append(legend.root);
  if (time) {
    uPlot.sync(SYNC).sub(plot);
    plot.over.addEventListener("click", () => seek(plot.posToVal(plot.cursor.left ?? 0, "x")));
  }
  moveByKeys(host, plot);
  followFingers(plot);
  return {
    plot,
    resize: (to) => plot.setSize({ width: to, height: heightFor(to) }),
    recolour: () => {
      palette = coloursOf(host);
      legend.recolour([...lines, ...marks].map((_, n) => lineColour(palette, n)));
      plot.redraw(false, true);
    },
  };
}

/** Arrows move the cursor, + and - zoom around it, Escape shows all again. */
function moveByKeys(host: HTMLElement, plot: uPlot): void {
  const area = plot.root;
  area.tabIndex = 0;
  area.setAttribute("role", "img");
  area.setAttribute("aria-label", host.getAttribute("aria-label") ?? "");
  area.addEventListener("keydown", (event) => {
    const { left = -1, top = -1 } = plot.cursor;
    const at = left < 0 ? plot.over.clientWidth / 2 : left;
    const step = (event.shiftKey ? 0.1 : 0.01) * plot.over.clientWidth;
    const move = (by: number) =>
      plot.setCursor({
        left: Math.min(plot.over.clientWidth - 1, Math.max(0, at + by)),
        top: top < 0 ? plot.over.clientHeight / 2 : top,
      });
    const zoom = (factor: number) => {
      const middle = plot.posToVal(at, "x");
      const { min = 0, max = 1 } = plot.scales.x;
      plot.setScale("x", { min: middle - ((middle - (min as number)) * factor), max: middle + (((max as number) - middle) * factor) });
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => move(-step),
      ArrowRight: () => move(step),
      "+": () => zoom(0.5),
      "-": () => zoom(2),
      Escape: () => plot.setData(plot.data, true),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
