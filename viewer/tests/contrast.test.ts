// Text and lines of the pages stand out from what lies behind them: WCAG 2.2, AA (text 4.5 : 1, lines and marks 3 : 1).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Variables of the first rule with `selector` after the `from`-th occurrence of it. */
function variables(css: string, from: number): Map<string, string> {
  const found = new Map<string, string>();
  const body = css.slice(css.indexOf("{", from) + 1);
  for (const [, name, value] of body.slice(0, body.indexOf("}")).matchAll(/(--[\w-]+):\s*([^;]+);/g)) found.set(name, value.trim());
  return found;
}

/** Relative luminance of "#rrggbb". */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const report = readFileSync(new URL("../src/report.css", import.meta.url), "utf8");
const replay = readFileSync(new URL("../src/ui/replay.css", import.meta.url), "utf8");
const plot = readFileSync(new URL("../src/ui/plot.ts", import.meta.url), "utf8");
const dark = (css: string) => css.indexOf("prefers-color-scheme: dark");

describe.each([
  ["light", variables(report, report.indexOf(":root"))],
  ["dark", variables(report, report.indexOf(":root", dark(report)))],
])("a %s report", (_, colours) => {
  const of = (name: string) => colours.get(`--${name}`)!;
  it("has text that can be read", () => {
    for (const text of ["text", "faint", "link"]) for (const back of ["page", "panel"]) expect(contrast(of(text), of(back)), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
    for (const flag of ["good", "bad", "unknown"]) expect(contrast(of(flag), of(`${flag}-back`)), flag).toBeGreaterThanOrEqual(4.5);
  });
  it("has lines that can be seen", () => {
    for (let n = 1; n <= 7; n++) expect(contrast(of(`line-${n}`), of("page")), `line ${n}`).toBeGreaterThanOrEqual(3);
  });
});

describe.each([
  ["light", variables(replay, replay.indexOf(".td-replay")), "LIGHT_LINES"],
  ["dark", variables(replay, replay.indexOf(".td-replay", dark(replay))), "DARK_LINES"],
])("a %s replay", (_, colours, list) => {
  const of = (name: string) => colours.get(`--td-${name}`)!;
  it("has text that can be read", () => {
    for (const text of ["ink", "ink-soft"]) for (const back of ["paper", "paper-soft"]) expect(contrast(of(text), of(back)), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("on-accent"), of("accent"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("warn-ink"), of("warn"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("ink"), of("accent-soft"))).toBeGreaterThanOrEqual(4.5);
  });
  it("has lines that can be seen", () => {
    const lines = new RegExp(`${list} = \\[([^\\]]+)\\]`).exec(plot)![1].match(/#[0-9a-f]{6}/g)!;
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) expect(contrast(line, of("paper")), line).toBeGreaterThanOrEqual(3);
  });
});
