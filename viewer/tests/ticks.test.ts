// Labels of axes give the value of their tick exactly; the figures of the program are held to the same table.
import { describe, expect, it } from "vitest";
import { axisTitle, increments, tickLabels } from "../src/ticks";
import table from "./ticks.json";

describe("ticks", () => {
  for (const { rule, first, step, label, unit, texts, title } of table.labels) {
    it(rule, () => {
      const labels = tickLabels(texts.map((_, k) => first + k * step), step);
      expect(labels.texts).toEqual(texts);
      expect(axisTitle(label, unit, labels)).toBe(title);
    });
  }

  it("lie at round numbers", () => {
    for (const { least, unit, step } of table.steps) expect(increments(unit).find((found) => found >= least * (1 - 1e-9))).toBe(step);
  });

  it("are read back as their value, whatever the step", () => {
    for (const step of [1, 2, 2.5, 5, 0.025, 1e-7, 250, 4e8]) {
      for (const first of [0, 7, -3, 123456, -98765432, 4e6].map((steps) => steps * step)) {
        const values = [0, 1, 2, 3, 4, 5].map((k) => first + k * step);
        const { texts, power, offset } = tickLabels(values, step);
        const number = (text: string) => Number(text.replaceAll(" ", "").replace("−", "-").replace("+", ""));
        texts.forEach((text, k) => expect(Math.abs(number(text) * 10 ** power + number(offset) - values[k])).toBeLessThan(1e-6 * step));
        expect(new Set(texts).size).toBe(values.length);
      }
    }
  });

  it("of a clock are written out without an offset", () => {
    expect(tickLabels([123456.5, 123457], 0.5, false)).toEqual({ texts: ["123456.5", "123457.0"], power: 0, offset: "" });
  });
});
