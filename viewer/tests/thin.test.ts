import { describe, expect, it } from "vitest";
import { thin } from "../src/replay/thin";

describe("fewer rows for the plot", () => {
  const rows = 1_000_000;
  const times = Array.from({ length: rows }, (_, k) => k * 1e-3);

  it("keeps every peak, every gap and both ends", () => {
    const wave: (number | null)[] = times.map((t) => Math.sin(t));
    const ramp: (number | null)[] = times.map((t) => -t);
    for (const spike of [1, 333_333, 999_998]) wave[spike] = 50;
    ramp[500_001] = null;
    const { times: kept, values } = thin({ times: Float64Array.from(times), values: [Float64Array.from(wave, (value) => value ?? NaN), ramp] });
    expect(kept.length).toBeLessThan(8_010);
    for (const spike of [1, 333_333, 999_998]) expect(values[0][kept.indexOf(times[spike])]).toBe(50);
    expect(values[1][kept.indexOf(times[500_001])]).toBeNull();
    expect([kept[0], kept[kept.length - 1]]).toEqual([times[0], times[rows - 1]]);
    expect(kept.every((t, k) => k === 0 || t > kept[k - 1])).toBe(true);
  });

  it("leaves small tables as they are", () => {
    const table = { times: [0, 1], values: [[1, null]] };
    expect(thin(table)).toEqual(table);
    const typed = { times: Float64Array.of(0, 1, 2), values: [Float64Array.of(1, NaN, 3)] };
    expect(thin(typed)).toEqual({ times: [0, 1, 2], values: [[1, null, 3]] });
    expect(thin({ times, values: [] }).values).toEqual([]);
  });
});
