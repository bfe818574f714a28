// The legend under a chart: a button for each line that switches it, with the value at the cursor. Buttons, so that keys reach them.
import { number } from "./format";

export interface Entry {
  label: string;
  about: string;
  colour: string;
  dashed: boolean;
  /** Points instead of a line. */
  marks?: boolean;
}

export interface Legend {
  root: HTMLElement;
  /** Shows values at the cursor; nothing for null. */
  show(at: string | null, values: (number | null | undefined)[]): void;
  recolour(colours: string[]): void;
}

export function makeLegend(x: string, entries: Entry[], toggle: (line: number, shown: boolean) => void): Legend {
  const root = document.createElement("div");
  root.className = "legend";
  const where = document.createElement("span");
  where.className = "at";
  const swatches: HTMLElement[] = [];
  const readings: HTMLElement[] = [];
  entries.forEach((entry, n) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = entry.about;
    button.setAttribute("aria-pressed", "true");
    const swatch = document.createElement("i");
    swatch.className = entry.marks ? "swatch marks" : entry.dashed ? "swatch dashed" : "swatch";
    swatch.style.color = entry.colour;
    const name = document.createElement("span");
    name.textContent = entry.label;
    const reading = document.createElement("output");
    button.append(swatch, name, reading);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      toggle(n, shown);
    });
    swatches.push(swatch);
    readings.push(reading);
    root.append(button);
  });
  root.append(where);
  return {
    root,
    show(at, values) {
      where.textContent = at === null ? "" : `${x} ${at}`;
      readings.forEach((reading, n) => {
        reading.textContent = at === null || n >= values.length ? "" : number(values[n], 5);
      });
    },
    recolour(colours) {
      swatches.forEach((swatch, n) => {
        swatch.style.color = colours[n];
      });
    },
  };
}
