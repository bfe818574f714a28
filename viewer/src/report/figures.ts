// All charts of a page: made one by one, fitted to their place when it changes, in the colours of light, dark and paper.
import { type Chart, makeChart } from "./chart";
import { breathe } from "../pace";
import type { Figures } from "../replay/format";

/** Width of a chart on paper, CSS pixels: A4 and Letter less their margins. */
const PAPER_WIDTH = 660;

interface Placed {
  chart: Chart;
  host: HTMLElement;
}

/** Draws them, with breaks for the user; `seek` is given the time at which the user clicks. */
export async function drawFigures(root: Document, data: Figures, seek: (time: number) => void): Promise<void> {
  const charts: Placed[] = [];
  let printing = false;
  const fit = ({ chart, host }: Placed) => {
    const width = printing ? PAPER_WIDTH : Math.max(260, host.clientWidth);
    if (width !== chart.plot.width) chart.resize(width);
  };
  const recolour = () => charts.forEach(({ chart }) => chart.recolour());
  const places = new ResizeObserver((changes) => {
    for (const { target } of changes) charts.filter(({ host }) => host === target).forEach(fit);
  });
  const paper = (on: boolean) => {
    printing = on;
    root.documentElement.classList.toggle("paper", on);
    charts.forEach(fit);
    recolour();
  };
  const waiting = [...root.querySelectorAll<HTMLElement>("[data-figure]")];
  const makeNext = () => {
    const host = waiting.shift()!;
    const figure = data.figures[Number(host.dataset.figure)];
    if (!figure) return;
    charts.push({ chart: makeChart(host, figure, data.phases ?? [], seek), host });
    places.observe(host);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  addEventListener("beforeprint", () => {
    // Paper does not wait.
    while (waiting.length > 0) makeNext();
    paper(true);
  });
  addEventListener("afterprint", () => paper(false));
  while (waiting.length > 0) {
    await breathe();
    if (waiting.length > 0) makeNext();
  }
}
