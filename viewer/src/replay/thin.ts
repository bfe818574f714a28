// Fewer rows for the plot: a picture a thousand pixels wide cannot show a million rows, but must show every peak. The rows are cut into equal
// buckets; of each, those stay in which a column has its least or greatest value, and the first that has none: a gap stays a gap.
import type { Table } from "./series";

/** About as many rows as this are drawn. */
const MOST_ROWS = 8000;

/** What is drawn of a table: null where there is no value. */
export interface Drawn {
  times: number[];
  values: (number | null)[][];
}

/** The same columns over fewer rows; all rows where there are no more. */
export function thin({ times, values }: Table, most: number = MOST_ROWS): Drawn {
  const rows = times.length;
  if (rows <= most || values.length === 0) {
    return { times: Array.from(times), values: values.map((column) => Array.from(column, (value) => (isValue(value) ? value : null))) };
  }
  const buckets = Math.max(1, Math.floor(most / (2 * values.length)));
  const kept: number[] = [0];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * rows) / buckets);
    const to = Math.floor(((bucket + 1) * rows) / buckets);
    const found = values.flatMap((column) => extremes(column, from, to)).sort((a, b) => a - b);
    for (const row of found) if (row > kept[kept.length - 1]) kept.push(row);
  }
  if (kept[kept.length - 1] < rows - 1) kept.push(rows - 1);
  const at = (column: ArrayLike<number | null>) => (row: number) => (isValue(column[row]) ? column[row] : null);
  return { times: kept.map((row) => times[row]), values: values.map((column) => kept.map(at(column))) };
}

function isValue(value: number | null | undefined): value is number {
  return Number.isFinite(value);
}

/** Rows of the least and the greatest value and of the first gap, as far as there are any. */
function extremes(column: ArrayLike<number | null>, from: number, to: number): number[] {
  let [least, greatest, gap] = [-1, -1, -1];
  for (let row = from; row < to; row++) {
    const value = column[row];
    if (!isValue(value)) {
      if (gap < 0) gap = row;
      continue;
    }
    if (least < 0 || value < (column[least] as number)) least = row;
    if (greatest < 0 || value > (column[greatest] as number)) greatest = row;
  }
  return [least, greatest, gap].filter((row) => row >= 0);
}
