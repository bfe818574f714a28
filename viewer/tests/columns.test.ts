// Columns are found by group, by words, and by the body they belong to.
import { describe, expect, it } from "vitest";
import { readScene } from "../src/replay/format";
import { FigureSeries } from "../src/replay/series";
import { quantile } from "../src/replay/stats";
import { colourAt, pressureScale, roundUp } from "../src/scene/colour";
import { columnsOfBody, firstPlot, groupColumns, keepTwoUnits } from "../src/ui/columns";

const column = (name: string, unit = "m", about = "") => ({ name, unit, about });
const columns = [
  column("time_s", "s"), column("soil.front_left.sinkage_m"), column("soil.front_left.force_x_n", "N"), column("soil.rear_left.sinkage_m"),
  column("joint.drive_front_left.rate_rad_per_s", "rad/s"), column("body.wheel_front_left.z_m"), column("energy.kinetic_j", "J", "energy of motion"),
];
const scene = readScene({
  format: 2, bodies: ["chassis", "rover/wheel_front_left"],
  contacts: [{ name: "front_left", body: 1, soil: true }, { name: "rear_left", body: null, soil: true }],
});

describe("columns", () => {
  it("are grouped by all of their name but the last part; time is not offered", () => {
    expect(groupColumns(columns).map((group) => group.name)).toEqual(["soil.front_left", "soil.rear_left", "joint.drive_front_left", "body.wheel_front_left", "energy"]);
  });

  it("are found by every word of a search, in name or meaning", () => {
    const names = (search: string) => groupColumns(columns, search).flatMap((group) => group.columns.map((one) => one.name));
    expect(names("front sinkage")).toEqual(["soil.front_left.sinkage_m"]);
    expect(names("MOTION")).toEqual(["energy.kinetic_j"]);
    expect(names("nothing like that")).toEqual([]);
  });

  it("belong to a body by its name and by its contacts", () => {
    expect(columnsOfBody(scene, columns, 1).map((one) => one.name)).toEqual([
      "soil.front_left.sinkage_m", "soil.front_left.force_x_n", "body.wheel_front_left.z_m", "joint.drive_front_left.rate_rad_per_s",
    ]);
    expect(columnsOfBody(scene, columns, 0)).toEqual([]);
    expect(firstPlot(columnsOfBody(scene, columns, 1), 4)).toEqual(["soil.front_left.sinkage_m", "soil.front_left.force_x_n"]);
  });

  it("share a plot with at most two units, the last ones asked for", () => {
    const units: Record<string, string> = { a: "m", b: "N", c: "m", d: "J" };
    expect(keepTwoUnits(["a", "b", "c"], (name) => units[name])).toEqual(["a", "b", "c"]);
    expect(keepTwoUnits(["b", "a", "c", "d"], (name) => units[name])).toEqual(["a", "c", "d"]);
  });
});

describe("series from figures", () => {
  const line = (name: string, values: (number | null)[]) => ({ label: name, column: name, about: "", values });
  const figure = (times: number[], time: boolean, ...lines: ReturnType<typeof line>[]) => ({
    name: "f", title: "f", source: "", x: { label: "t", unit: "s", time, values: times }, y: { label: "y", unit: "m", lines },
  });

  it("are those drawn against time, put onto common times", async () => {
    const series = new FigureSeries([figure([0, 2], true, line("a", [1, 3])), figure([0, 1], true, line("b", [5, null])), figure([0, 1], false, line("c", [1, 1]))]);
    expect(series.columns.map((one) => one.name)).toEqual(["a", "b"]);
    expect(await series.load(["a", "b"])).toEqual({ times: [0, 1, 2], values: [[1, null, 3], [5, null, null]] });
  });
});

describe("numbers", () => {
  it("of a scale's ends are round and not below the value", () => {
    for (const value of [1e-4, 0.0123, 0.99, 1, 1.01, 47, 8.1e5]) {
      expect(roundUp(value)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(roundUp(value)).toBeLessThanOrEqual(1.5 * value);
    }
    expect([roundUp(0), roundUp(NaN), roundUp(-1)]).toEqual([0, 0, 0]);
  });

  it("rise in lightness along the scale of pressure", () => {
    const lightness = Array.from({ length: 11 }, (_, k) => colourAt(pressureScale, k / 10)).map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
    for (let k = 1; k < lightness.length; k++) expect(lightness[k]).toBeGreaterThan(lightness[k - 1]);
  });

  it("of frames are summed up by quantiles", () => {
    const values = Float32Array.from({ length: 100 }, (_, k) => 100 - k);
    expect([quantile(values, 0.5), quantile(values, 0.95), quantile(values, 1), quantile(new Float32Array(0), 0.5)]).toEqual([50, 95, 100, 0]);
  });
});

describe("a scene of another format", () => {
  it("is refused in words", () => {
    expect(() => readScene({ format: 1 })).toThrow("format 1");
    expect(() => readScene(null)).toThrow();
  });
});
