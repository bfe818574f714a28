// Which columns the plot shows: a figure of the scenario, the columns of a picked body, or what the user ticks.
import type { Column, Scene } from "../replay/format";
import type { Series } from "../replay/series";
import { columnsOfBody, firstPlot, keepTwoUnits } from "./columns";
import { element } from "./dom";
import type { Plot } from "./plot";

const MOST_LINES_OF_A_BODY = 4;
const CUSTOM = "custom";

export class PlotChoice {
  readonly presets = element("select", { class: "td-select td-presets", "aria-label": "Plot" });
  plotted: string[] = [];
  private readonly byName: Map<string, Column>;
  /** What was plotted before a body was picked. */
  private before: string[] | null = null;
  private question = 0;

  constructor(
    private readonly scene: Scene,
    private readonly series: Series,
    private readonly plot: Plot,
    private readonly tell: { plotted(names: string[]): void; problem(text: string): void },
  ) {
    this.byName = new Map(series.columns.map((column) => [column.name, column]));
    this.presets.addEventListener("change", () => {
      const figure = scene.figures[Number(this.presets.value)];
      if (figure !== undefined) this.choose(figure.columns);
    });
  }

  private known(names: string[]): string[] {
    return [...new Set(names)].filter((name) => this.byName.has(name));
  }

  /** Lists the scenario's figures and plots the first. */
  start(): void {
    const usable = this.scene.figures.map((figure, k) => ({ figure, k })).filter(({ figure }) => this.known(figure.columns).length > 0);
    this.presets.replaceChildren(
      ...usable.map(({ figure, k }) => element("option", { value: k }, figure.title)),
      element("option", { value: CUSTOM }, "Chosen columns"),
    );
    this.presets.hidden = usable.length === 0;
    const any = this.series.columns.filter((column) => column.name !== "time_s").slice(0, 1);
    this.choose(usable[0]?.figure.columns ?? any.map((column) => column.name));
  }

  /** Plots these columns, as far as they are known and fit on two axes. */
  choose(names: string[]): void {
    const known = this.known(names);
    this.plotted = keepTwoUnits(known, (name) => this.byName.get(name)!.unit);
    this.before = null;
    this.tell.plotted(this.plotted);
    const preset = this.scene.figures.findIndex((figure) => this.known(figure.columns).join("\n") === known.join("\n"));
    this.presets.value = preset >= 0 ? String(preset) : CUSTOM;
    void this.load();
  }

  add(name: string): void {
    this.choose([...this.plotted, name]);
  }

  remove(name: string): void {
    this.choose(this.plotted.filter((other) => other !== name));
  }

  /** A body was picked: its first columns are plotted. When it is let go, what was there before comes back. */
  picked(body: number | null): void {
    const own = body === null ? [] : firstPlot(columnsOfBody(this.scene, this.series.columns, body), MOST_LINES_OF_A_BODY);
    const before = this.before ?? this.plotted;
    if (own.length > 0) {
      this.choose(own);
      this.before = before;
    } else if (body === null && this.before !== null) {
      this.choose(this.before);
    }
  }

  /** Reads the chosen columns, also when a run in progress has more of them. */
  async load(): Promise<void> {
    const question = ++this.question;
    const columns = this.plotted.map((name) => this.byName.get(name)!);
    try {
      const table = columns.length > 0 ? await this.series.load(this.plotted) : { times: [], values: [] };
      // A later choice has overtaken this one.
      if (question === this.question) this.plot.setData(columns, table);
    } catch (error) {
      this.tell.problem(`the columns could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
