// All charts of a page: made one by one, fitted to their place when it changes, in the colours of light, dark and paper.
import { type Chart, makeChart } from "./chart";
import type { Figures } from "../replay/format";

/** Width of a chart on paper, CSS pixels: A4 and Letter less their margins. */
const PAPER_WIDTH = 660;

/** Draws them; `seek` is told the time at which somebody clicks. */
export function drawFigures(root: Document, data: Figures, seek: (time: number) => void): void {
  const charts: { chart: Chart; host: HTMLElement }[] = [];
  for (const host of root.querySelectorAll<HTMLElement>("[data-figure]")) {
    const figure = data.figures[Number(host.dataset.figure)];
    if (figure) charts.push({ chart: makeChart(host, figure, data.phases ?? [], seek), host });
  }
  const recolour = () => charts.forEach(({ chart }) => chart.recolour());
  let printing = false;
  const fit = ({ chart, host }: { chart: Chart; host: HTMLElement }) => {
    const width = printing ? PAPER_WIDTH : Math.max(260, host.clientWidth);
    if (width !== chart.plot.width) chart.resize(width);
  };
  const places = new ResizeObserver((changes) => {
    for (const { target } of changes) charts.filter(({ host }) => host === target).forEach(fit);
  });
  charts.forEach(({ host }) => places.observe(host));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  const paper = (on: boolean) => {
    printing = on;
    root.documentElement.classList.toggle("paper", on);
    charts.forEach(fit);
    recolour();
  };
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
}
