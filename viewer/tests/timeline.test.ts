// The clock: it plays at its speed, stops at the end, clings to the end of a run in progress until someone scrubs.
import { describe, expect, it } from "vitest";
import { Timeline, locate } from "../src/replay/timeline";

const timeline = (end: number, live = false) => {
  const made = new Timeline();
  made.extend(0, end, live);
  return made;
};

describe("the clock", () => {
  it("plays at its speed and stops at the end", () => {
    const clock = timeline(10);
    clock.speed = 4;
    clock.play();
    for (let k = 0; k < 10; k++) clock.tick(0.1);
    expect(clock.time).toBeCloseTo(4, 12);
    for (let k = 0; k < 30; k++) clock.tick(0.1);
    expect([clock.time, clock.playing]).toEqual([10, false]);
    clock.play();
    expect(clock.time).toBe(0);
  });

  it("does not jump after a long pause of the page", () => {
    const clock = timeline(100);
    clock.play();
    clock.tick(60);
    expect(clock.time).toBeLessThan(1);
  });

  it("stays within the run wherever it is sent", () => {
    const clock = timeline(10);
    for (const [to, at] of [[-5, 0], [3, 3], [99, 10], [NaN, 10], [Infinity, 10]]) {
      clock.seek(to);
      expect(clock.time).toBe(at);
    }
  });

  it("starts where the first frame is", () => {
    const clock = new Timeline();
    clock.extend(2, 8, false);
    expect(clock.time).toBe(2);
  });

  it("follows the end of a run in progress until someone scrubs", () => {
    const clock = timeline(1, true);
    clock.cling();
    clock.extend(0, 5, true);
    expect(clock.time).toBe(5);
    clock.seek(2);
    clock.extend(0, 9, true);
    expect([clock.time, clock.clinging]).toEqual([2, false]);
    clock.play();
    for (let k = 0; k < 200 && clock.playing; k++) clock.tick(0.1);
    // It caught up with the run and goes on with it.
    expect([clock.time, clock.clinging]).toEqual([9, true]);
    clock.extend(0, 11, true);
    expect(clock.time).toBe(11);
    clock.extend(0, 12, false);
    expect([clock.time, clock.clinging]).toEqual([12, false]);
  });
});

describe("a time among frames", () => {
  // Room for more frames than there are: entries beyond the count must not be looked at.
  const times = Float64Array.of(0, 1, 3, 4, 0, 0);
  const at = (time: number) => {
    const place = { index: -1, fraction: -1 };
    locate(times, 4, time, place);
    return [place.index, place.fraction];
  };

  it("lies between the two around it", () => {
    expect(at(0)).toEqual([0, 0]);
    expect(at(0.25)).toEqual([0, 0.25]);
    expect(at(1)).toEqual([1, 0]);
    expect(at(2.5)).toEqual([1, 0.75]);
    expect(at(4)).toEqual([3, 0]);
  });

  it("is clamped to the first and the last", () => {
    expect(at(-1)).toEqual([0, 0]);
    expect(at(9)).toEqual([3, 0]);
    const place = { index: -1, fraction: -1 };
    locate(times, 0, 1, place);
    expect(place).toEqual({ index: 0, fraction: 0 });
  });
});
