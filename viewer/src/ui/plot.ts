// The plot under the scene: chosen columns against time, phases shaded, a line at the time that is shown. Clicking it scrubs.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Column, Phase } from "../replay/format";
import { countUpTo } from "../replay/growing";
import type { Table } from "../replay/series";
import { type Drawn, thin } from "../replay/thin";
import { axisTicks, increments, tickLabels, unitOf } from "../ticks";
import { element, formatNumber, setText } from "./dom";

// Distinguishable for colour-blind eyes (after Okabe and Ito), each with a contrast of 3 or more against the page; every other line is dashed.
const LIGHT_LINES = ["#0072b2", "#d55e00", "#007d5c", "#b8518f", "#a86e00", "#3587bd", "#2b2f33"];
const DARK_LINES = ["#4aa8e0", "#f08b4a", "#2fc79a", "#e39ac8", "#f0b840", "#9bd2f5", "#dfe3e7"];
const DASH = [8, 4];
/** Shortest time between two updates of the read-out while playing, ms: text costs layout. */
const READOUT_EVERY_MS = 100;

export class Plot {
  readonly root: HTMLElement;
  readonly playhead = element("div", { class: "td-playhead" });
  private readonly area = element("div", { class: "td-plot-area" });
  /** What is plotted, with values; placed by the page. */
  readonly legend = element("ul", { class: "td-plot-legend", "aria-label": "Plotted columns" });
  private readonly empty = element("p", { class: "td-plot-empty" }, "Choose columns to plot.");
  private chart: uPlot | null = null;
  private columns: Column[] = [];
  /** All rows, for the read-outs, and those that are drawn. */
  private table: Table = { times: [], values: [] };
  private drawn: Drawn = { times: [], values: [] };
  private readouts: HTMLElement[] = [];
  private time = 0;
  private span: [number, number] = [0, 1];
  private lastReadout = 0;
  private hovered: number | null = null;
  private dark = false;

  constructor(private readonly phases: Phase[], private readonly seek: (time: number) => void, private readonly remove: (name: string) => void) {
    this.root = element("div", { class: "td-plot" }, this.area, this.empty);
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  use(dark: boolean): void {
    this.dark = dark;
    if (this.chart !== null) this.rebuild();
  }

  /** Times that the axis spans. */
  setSpan(start: number, end: number): void {
    if (this.span[0] === start && this.span[1] === end) return;
    this.span = [start, end];
    this.chart?.setScale("x", { min: start, max: end });
    this.setTime(this.time);
  }

  /** Draws these columns; more rows of the same columns are taken in without building the chart again. */
  setData(columns: Column[], table: Table): void {
    const same = this.chart !== null && columns.length === this.columns.length && columns.every((column, k) => column.name === this.columns[k].name);
    this.columns = columns;
    this.table = table;
    this.drawn = thin(table);
    if (same) {
      this.chart!.setData(this.aligned(), false);
      this.chart!.batch(() => {
        for (const unit of this.units()) this.chart!.setScale(unit, range(this.drawn.values.filter((_, k) => columns[k].unit === unit)));
        this.chart!.setScale("x", { min: this.span[0], max: this.span[1] });
      });
      this.readout();
      return;
    }
    this.rebuild();
  }

  /** What the chart is given. */
  private aligned(): uPlot.AlignedData {
    return [this.drawn.times, ...this.drawn.values];
  }

  private units(): string[] {
    return [...new Set(this.columns.map((column) => column.unit))];
  }

  private colour(k: number): string {
    const lines = this.dark ? DARK_LINES : LIGHT_LINES;
    return lines[k % lines.length];
  }

  private rebuild(): void {
    this.chart?.destroy();
    this.chart = null;
    this.playhead.remove();
    this.empty.hidden = this.columns.length > 0;
    this.area.hidden = this.columns.length === 0;
    this.listColumns();
    if (this.columns.length === 0) return;
    const ink = getComputedStyle(this.root).getPropertyValue("--td-ink-soft").trim() || "#666";
    const rule = getComputedStyle(this.root).getPropertyValue("--td-rule").trim() || "#ddd";
    const units = this.units();
    const font = "11px system-ui, sans-serif";
    const axes: uPlot.Axis[] = [
      { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, size: 4 }, font, size: 24, gap: 2, incrs: increments("s"), values: timeTexts },
      ...units.slice(0, 2).map((unit, k): uPlot.Axis => ({
        scale: unit, side: k === 0 ? 3 : 1, stroke: ink, grid: { show: k === 0, stroke: rule, width: 1 }, ticks: { stroke: rule, size: 4 },
        font, labelFont: font, labelSize: 16, labelGap: 0, gap: 3, ...axisTicks("", unit),
        size: (_, texts) => 14 + 6.3 * Math.max(3, ...(texts ?? []).map((text) => text.length)),
      })),
    ];
    const scales: uPlot.Scales = { x: { time: false, auto: false, min: this.span[0], max: this.span[1] } };
    for (const unit of units) {
      const { min, max } = range(this.drawn.values.filter((_, k) => this.columns[k].unit === unit));
      scales[unit] = { auto: false, min, max };
    }
    this.chart = new uPlot(
      {
        ...this.size(),
        padding: [14, units.length > 1 ? 0 : 22, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        scales,
        axes,
        series: [{}, ...this.columns.map((column, k): uPlot.Series => ({ scale: column.unit, stroke: this.colour(k), dash: k % 2 === 1 ? DASH : undefined, width: 1.5, points: { show: false } }))],
        hooks: {
          drawClear: [(u) => this.shadePhases(u)],
          setCursor: [(u) => this.hover(u)],
          setSize: [() => this.setTime(this.time)],
        },
      },
      this.aligned(),
      this.area,
    );
    const canvas = this.chart.ctx.canvas;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Plot against time of ${this.columns.map((column) => column.name).join(", ")}`);
    this.chart.over.append(this.playhead);
    this.scrubbing(this.chart.over);
    this.setTime(this.time);
    this.readout();
  }

  private listColumns(): void {
    this.readouts = this.columns.map(() => element("output", { class: "td-value" }));
    this.legend.replaceChildren(
      ...this.columns.map((column, k) => {
        const swatch = element("span", { class: "td-swatch" });
        swatch.style.background = this.colour(k);
        const close = element("button", { type: "button", class: "td-remove", "aria-label": `Remove ${column.name} from the plot` }, "×");
        close.addEventListener("click", () => this.remove(column.name));
        const item = element("li", { title: column.about }, swatch, element("span", { class: "td-name" }, column.name), this.readouts[k], close);
        return item;
      }),
    );
  }

  private scrubbing(over: HTMLElement): void {
    const at = (event: PointerEvent) => {
      const area = over.getBoundingClientRect();
      if (this.chart !== null) this.seek(this.chart.posToVal(event.clientX - area.left, "x"));
    };
    over.style.touchAction = "pan-y";
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      at(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) at(event);
    });
  }

  private shadePhases(u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    const { ctx } = u;
    const style = getComputedStyle(this.root);
    ctx.save();
    ctx.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = "bottom";
    this.phases.forEach((phase, k) => {
      const from = Math.max(left, u.valToPos(phase.from, "x", true));
      const to = Math.min(left + width, u.valToPos(phase.to, "x", true));
      if (!(to > from)) return;
      ctx.fillStyle = style.getPropertyValue(k % 2 === 0 ? "--td-phase-even" : "--td-phase-odd");
      ctx.fillRect(from, top, to - from, height);
      ctx.fillStyle = style.getPropertyValue("--td-ink-soft");
      // A label that does not fit into its phase would run into the next one's.
      const label = fit(ctx, phase.label, to - from - 6 * devicePixelRatio);
      if (label !== "") ctx.fillText(label, from + 3 * devicePixelRatio, top - 1);
    });
    ctx.restore();
  }

  private hover(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    this.hovered = left < 0 ? null : u.posToVal(left, "x");
    this.readout();
  }

  /** Moves the line to a time. */
  setTime(time: number, playing = false): void {
    this.time = time;
    if (this.chart === null) return;
    const left = this.chart.valToPos(time, "x");
    this.playhead.style.transform = `translateX(${left.toFixed(1)}px)`;
    if (this.hovered !== null) return;
    const now = performance.now();
    if (playing && now - this.lastReadout < READOUT_EVERY_MS) return;
    this.lastReadout = now;
    this.readout();
  }

  /** Values under the pointer, or at the time that is shown. */
  readout(): void {
    const row = countUpTo(this.table.times, this.table.times.length, this.hovered ?? this.time) - 1;
    this.columns.forEach((column, k) => {
      const unit = column.unit === "1" ? "" : ` ${column.unit}`;
      setText(this.readouts[k], `${formatNumber(this.table.values[k]?.[Math.max(row, 0)])}${unit}`);
    });
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(this.area.clientWidth, 80), height: Math.max(this.area.clientHeight, 60) };
  }

  private resize(): void {
    if (this.chart === null || this.area.clientWidth === 0) return;
    const size = this.size();
    if (this.chart.width !== size.width || this.chart.height !== size.height) this.chart.setSize(size);
  }
}

/** Times along the bottom, where there is no room for a title. */
function timeTexts(_: uPlot, times: number[], __: number, ___: number, step: number): string[] {
  const { texts, power } = tickLabels(times, step, false);
  return texts.map((text) => `${text} ${unitOf("s", power)}`);
}

/** Ends of an axis that hold all values with a little room. */
function range(columns: (number | null)[][]): { min: number; max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (const column of columns) {
    for (const value of column) {
      if (value === null) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (min > max) return { min: 0, max: 1 };
  // A line that never changes still needs an axis that can be read; zero has no size of its own.
  const room = max > min ? 0.06 * (max - min) : max === 0 ? 1 : 0.1 * Math.abs(max);
  return { min: min - room, max: max + room };
}

/** The text, or as much of it as fits with an ellipsis, or nothing. */
function fit(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  for (let length = text.length - 1; length > 2; length--) {
    const shorter = `${text.slice(0, length)}…`;
    if (ctx.measureText(shorter).width <= width) return shorter;
  }
  return "";
}
