// Columns of the series for the plot: asked from the server when they are wanted, or taken from a report's figures.
import type { Column, FigureData } from "./format";
import { Growing } from "./growing";
import type { Server } from "./source";

/** Columns over common times; null, or no finite number, where there is no value. */
export interface Table {
  times: ArrayLike<number>;
  values: ArrayLike<number | null>[];
}

export interface Series {
  readonly columns: Column[];
  load(names: string[]): Promise<Table>;
}

const TIME = "time_s";

/** Asks for columns once; of a run in progress only for the rows that are new. */
export class ServedSeries implements Series {
  private readonly known = new Map<string, Growing>();

  constructor(private readonly server: Server, readonly columns: Column[]) {}

  async load(names: string[]): Promise<Table> {
    const wanted = [TIME, ...names];
    // Columns of the same length are asked for together.
    const byLength = new Map<number, string[]>();
    for (const name of wanted) {
      const length = this.known.get(name)?.length ?? 0;
      byLength.set(length, [...(byLength.get(length) ?? []), name]);
    }
    for (const [from, group] of byLength) {
      const answer = await this.server.series(group, from);
      group.forEach((name, k) => {
        const column = this.known.get(name) ?? new Growing();
        // Two questions may have crossed; rows that came in the meantime are not added again.
        if (column.length === from) column.append(answer[k]);
        this.known.set(name, column);
      });
    }
    const columns = wanted.map((name) => this.known.get(name) ?? new Growing());
    const rows = Math.min(...columns.map((column) => column.length));
    const [times, ...values] = columns.map((column) => column.first(rows));
    return { times, values };
  }
}

/** The lines of those figures that are drawn against time. */
export class FigureSeries implements Series {
  readonly columns: Column[] = [];
  private readonly lines = new Map<string, { times: (number | null)[]; values: (number | null)[] }>();

  constructor(figures: FigureData[]) {
    for (const figure of figures) {
      if (!figure.x.time) continue;
      for (const line of figure.y.lines) {
        if (this.lines.has(line.column)) continue;
        this.lines.set(line.column, { times: figure.x.values, values: line.values });
        this.columns.push({ name: line.column, unit: figure.y.unit, about: line.about || line.label });
      }
    }
  }

  async load(names: string[]): Promise<Table> {
    const lines = names.map((name) => this.lines.get(name));
    const times = [...new Set(lines.flatMap((line) => line?.times ?? []))].filter((t): t is number => t !== null).sort((a, b) => a - b);
    const place = new Map(times.map((t, k) => [t, k]));
    const values = lines.map((line) => {
      const column = new Array<number | null>(times.length).fill(null);
      line?.times.forEach((t, k) => {
        if (t !== null) column[place.get(t)!] = line.values[k] ?? null;
      });
      return column;
    });
    return { times, values };
  }
}
