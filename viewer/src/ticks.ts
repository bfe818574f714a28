// Labels of axes, for the charts of a report and the plot of the 3-D page. The figures of the program follow the same rules
// (crates/record/src/figures/ticks.rs); tests/ticks.json holds both to them.
import type uPlot from "uplot";

/** Labels with more digits than this are hard to read. */
const MOST_DIGITS = 5;
/** More decimals than this are round-off. */
const MOST_DECIMALS = 12;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** What an axis shows: a tick's value is its text times 10 to the power, plus the offset. */
export interface Labels {
  texts: string[];
  power: number;
  /** With its sign and digits in groups; empty without an offset. */
  offset: string;
}

/** "−15" as superscript. */
export function raise(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join("");
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** The power of ten of the first digit. Logarithms of powers of ten may lie a little below them. */
const exponentOf = (value: number): number => Math.floor(Math.log10(value) + 1e-9);

/** Decimals that a step needs to be written in full. */
function decimalsOf(step: number): number {
  const first = Math.max(0, -exponentOf(step));
  for (let decimals = first; decimals < MOST_DECIMALS; decimals++) {
    const whole = step * 10 ** decimals;
    if (Math.abs(whole - Math.round(whole)) <= 1e-6 * whole) return decimals;
  }
  return MOST_DECIMALS;
}

/** Digits of the largest label. */
const digitsOf = (largest: number, step: number): number => Math.max(exponentOf(largest), 0) + 1 + decimalsOf(step);

/** The power of ten, a multiple of three, that leaves labels of few digits; null where none does. */
function powerOf(largest: number, step: number): number | null {
  if (digitsOf(largest, step) <= MOST_DIGITS) return 0;
  const power = 3 * Math.floor(exponentOf(step) / 3);
  return exponentOf(largest) - power < MOST_DIGITS ? power : null;
}

/** A number with a minus sign that is one, and without "−0". */
function written(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A number whose whole part has its digits in groups of three. */
function grouped(value: number, decimals: number): string {
  const [whole, ...rest] = value.toFixed(decimals).split(".");
  return [whole.replace(/\d(?=(\d{3})+$)/g, "$& "), ...rest].join(".");
}

/** A round number towards zero of all ticks, whose last digit is larger than what they span. */
function offsetOf(values: number[], step: number): { value: number; text: string } {
  const nearest = Math.min(...values.map(Math.abs));
  const span = Math.max(step, Math.abs(values[values.length - 1] - values[0]));
  const digit = Math.ceil(Math.log10(span) - 1e-9);
  const size = Math.floor(nearest / 10 ** digit + 1e-9) * 10 ** digit;
  const sign = values[0] < 0 ? -1 : 1;
  return { value: sign * size, text: `${sign < 0 ? "−" : "+"} ${grouped(size, Math.max(0, -digit))}` };
}

/** Labels of ticks that lie a step apart; without `offsets` numbers are written out, however long. */
export function tickLabels(values: number[], step: number, offsets = true): Labels {
  const largest = Math.max(...values.map(Math.abs), step);
  if (!(step > 0) || !Number.isFinite(largest)) return { texts: values.map(String), power: 0, offset: "" };
  let power = powerOf(largest, step);
  let from = { value: 0, text: "" };
  if (power === null && offsets) {
    from = offsetOf(values, step);
    power = powerOf(Math.max(...values.map((value) => Math.abs(value - from.value)), step), step);
  }
  const scale = 10 ** -(power ?? 0);
  const decimals = decimalsOf(step * scale);
  return { texts: values.map((value) => written((value - from.value) * scale, decimals)), power: power ?? 0, offset: from.text };
}

/** "10³ N": the unit with the power of ten that labels leave out. */
export function unitOf(unit: string, power: number): string {
  const plain = unit === "1" ? "" : unit;
  return [power === 0 ? "" : `10${raise(power)}`, plain].filter((part) => part !== "").join(" ");
}

/** "x, m (+ 412 000 m)": what an axis shows, its unit, and what its labels leave out. */
export function axisTitle(label: string, unit: string, { power, offset }: Labels): string {
  const title = [label, unitOf(unit, power)].filter((part) => part !== "").join(", ");
  return offset === "" ? title : `${title} (${[offset, unitOf(unit, 0)].filter((part) => part !== "").join(" ")})`.trim();
}

/** Steps that are allowed between ticks: 1, 2 or 5 times a power of ten; degrees count in parts of a turn. */
export function increments(unit: string): number[] {
  const steps: number[] = [];
  for (let power = -18; power <= 18; power++) for (const factor of [1, 2, 5]) steps.push(Number(`${factor}e${power}`));
  if (unit !== "°") return steps;
  return [...steps.filter((step) => step <= 10), 15, 30, 45, 90, 180, ...steps.filter((step) => step > 180)];
}

/** Steps, labels and title of an axis. */
export function axisTicks(label: string, unit: string): Pick<uPlot.Axis, "incrs" | "values" | "label"> {
  // Labels are made before the title is drawn, which says what they leave out.
  let labels = tickLabels([], 1);
  return {
    incrs: increments(unit),
    values: (_, values, __, ___, step) => {
      labels = tickLabels(values, step);
      return labels.texts;
    },
    label: () => axisTitle(label, unit, labels) || "–",
  };
}
