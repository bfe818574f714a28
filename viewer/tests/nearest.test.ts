// The nearest point is the one a plain search finds, at the cost of some dozens of distances.
import { describe, expect, it } from "vitest";
import { Nearest, work } from "../src/scene/nearest";

/** Numbers from 0 to 1 that are the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

describe("the nearest of many points", () => {
  const next = numbers(7);
  const points = Array.from({ length: 3 * 4000 }, next);
  const tree = new Nearest(points);

  it("is the one that a plain search finds", () => {
    for (let question = 0; question < 300; question++) {
      const [x, y, z] = [1.2 * next() - 0.1, 1.2 * next() - 0.1, 1.2 * next() - 0.1];
      let [best, least] = [-1, 0.08];
      for (let k = 0; k < points.length; k += 3) {
        const found = Math.hypot(x - points[k], y - points[k + 1], z - points[k + 2]);
        if (found < least) [best, least] = [k / 3, found];
      }
      expect(tree.find(x, y, z, 0.08)).toBe(best);
      if (best >= 0) expect(tree.found).toBeCloseTo(least, 12);
    }
  });

  it("costs a small part of all distances", () => {
    const before = work.distances;
    for (let question = 0; question < 1000; question++) tree.find(next(), next(), next(), 1);
    // A balanced tree of 4000 points is 12 deep; neighbours in three dimensions cost some branches more.
    expect((work.distances - before) / 1000).toBeLessThan(120);
  });

  it("is none where there is none within reach, or none at all", () => {
    expect(tree.find(5, 5, 5, 1)).toBe(-1);
    expect(new Nearest([]).find(0, 0, 0, 1)).toBe(-1);
  });
});
