// Frames survive the way through bytes, and bytes that are cut off or wrong give what is whole.
import { describe, expect, it } from "vitest";
import { CONTACT, Frames, POSE } from "../src/replay/decode";
import { Encoder, join } from "./encode.mjs";

const NX = 4;
const NY = 3;
const undisturbed = Float32Array.from({ length: NX * NY }, (_, k) => (k === 5 ? NaN : 0.1 * k));

const patch = (change: (k: number) => number, more: object = {}) => ({
  i0: -32, j0: 64, nx: NX, ny: NY, undisturbed, change: Int16Array.from({ length: NX * NY }, (_, k) => change(k)), ...more,
});

function frame(n: number, patches: object[] = [], pressures: object[] = []) {
  return {
    time: 0.25 * n,
    poses: [0, 1].map((b) => Array.from({ length: POSE }, (_, k) => n + 0.5 * b + 0.125 * k)),
    contacts: [Array.from({ length: CONTACT }, (_, k) => -n - 0.25 * k)],
    patches,
    pressures,
  };
}

const withForms = (n: number, deformations: number[][]) => ({ ...frame(n), deformations });

const read = (bytes: Uint8Array) => {
  const frames = new Frames(2, 1);
  return { frames, count: frames.append(bytes) };
};

const encoded = (...given: object[]) => {
  const encoder = new Encoder();
  return given.map((one) => encoder.record(one) as Uint8Array);
};

describe("frames", () => {
  it("carry displacements of forms that change", () => {
    const { frames, count } = read(join(encoded(withForms(0, []), withForms(1, [[0, 0.5, -0.25], [0, 0, 0, 0, 0, 0]]))));
    expect(count).toBe(2);
    expect(frames.deformations[0]).toEqual([]);
    const [form, still] = frames.deformations[1];
    const found = [0, 1, 2].map((k) => (form.full * form.view.getInt16(form.at + 2 * k, true)) / 32767);
    [0, 0.5, -0.25].forEach((given, k) => expect(Math.abs(found[k] - given)).toBeLessThanOrEqual(0.5 * 0.5 / 32767 + 1e-9));
    expect([still.corners, still.full]).toEqual([2, 0]);
  });

  it("come back as they went in", () => {
    const { frames, count } = read(join(encoded(frame(0), frame(1), frame(2))));
    expect(count).toBe(3);
    expect(frames.count).toBe(3);
    expect([...frames.times.data.slice(0, 3)]).toEqual([0, 0.25, 0.5]);
    // All numbers of these frames are exact in 32 bits.
    for (let n = 0; n < 3; n++) {
      expect([...frames.poses.data.slice(14 * n, 14 * n + 14)]).toEqual(frame(n).poses.flat());
      expect([...frames.contacts.data.slice(6 * n, 6 * n + 6)]).toEqual(frame(n).contacts.flat());
    }
    expect([frames.start, frames.end]).toEqual([0, 0.5]);
  });

  it("do not depend on how the bytes were split", () => {
    const records = encoded(frame(0, [patch((k) => k)]), frame(1, [patch((k) => 2 * k)]), frame(2));
    const whole = read(join(records)).frames;
    const parts = new Frames(2, 1);
    for (const record of records) expect(parts.append(record)).toBe(1);
    expect(parts.poses.data).toEqual(whole.poses.data);
    expect(parts.patches[0].changes).toEqual(whole.patches[0].changes);
  });

  it("grow beyond the first capacity without losing any", () => {
    const many = Array.from({ length: 700 }, (_, n) => frame(n));
    const { frames } = read(join(encoded(...many)));
    expect(frames.count).toBe(700);
    expect(frames.poses.data[14 * 699]).toBe(699);
    expect(frames.poses.data[14 * 3]).toBe(3);
  });

  it("carry pressures that are read where they lie", () => {
    const nodes = [[10, 20, 500], [11, 18, 1000], [-3, 20, 0]];
    const { frames } = read(join(encoded(frame(0, [], [{ i: 10, j: 20, full: 1000, nodes }, { i: 0, j: 0, full: 0, nodes: [] }]))));
    const [span, empty] = frames.pressures[0];
    expect(empty.nodes).toBe(0);
    const found = nodes.map((_, k) => {
      const at = span.at + 6 * k;
      return [span.i + span.view.getInt16(at, true), span.j + span.view.getInt16(at + 2, true), (span.view.getUint16(at + 4, true) / 65535) * span.full];
    });
    found.forEach(([i, j, pressure], k) => {
      expect([i, j]).toEqual(nodes[k].slice(0, 2));
      // Half of one of 65535 steps of the scale.
      expect(Math.abs(pressure - nodes[k][2])).toBeLessThanOrEqual(500 / 65535 + 1e-9);
    });
  });
});

describe("patches", () => {
  it("are kept whole after every change", () => {
    const { frames } = read(join(encoded(frame(0, [patch((k) => -k)]), frame(1), frame(2, [patch((k) => -10 * k)]))));
    const [only] = frames.patches;
    expect(frames.patches.length).toBe(1);
    expect([only.i0, only.j0, only.nx, only.ny]).toEqual([-32, 64, NX, NY]);
    expect(only.frames).toEqual([0, 2]);
    expect([...only.changes[0]]).toEqual(Array.from({ length: 12 }, (_, k) => -k || 0));
    expect([...only.changes[1]]).toEqual(Array.from({ length: 12 }, (_, k) => -10 * k || 0));
    expect(only.undisturbed).toEqual(undisturbed);
    expect([-1, 0, 1, 2, 9].map((n) => only.stateAt(n))).toEqual([-1, 0, 0, 1, 1]);
  });

  it("wrap round at sixteen bits, so that the largest difference survives", () => {
    const { frames } = read(join(encoded(frame(0, [patch(() => -32768)]), frame(1, [patch(() => 32767)]))));
    expect([...new Set(frames.patches[0].changes[1])]).toEqual([32767]);
  });

  it("are counted from zero when they are sent again", () => {
    const { frames } = read(join(encoded(frame(0, [patch(() => 50)]), frame(1, [patch(() => 7, { again: true })]), frame(2, [patch(() => 9)]))));
    expect(frames.patches[0].changes.map((change) => change[0])).toEqual([50, 7, 9]);
  });

  it("are replaced when they are sent again with another size", () => {
    const larger = { i0: -32, j0: 64, nx: 2, ny: 2, undisturbed: new Float32Array(4), change: new Int16Array(4).fill(3), again: true };
    const { frames } = read(join(encoded(frame(0, [patch(() => 50)]), frame(1, [larger]))));
    expect(frames.damage).toBeNull();
    expect(frames.patches.length).toBe(1);
    expect([frames.patches[0].nx, frames.replaced]).toEqual([2, 1]);
  });
});

describe("damage", () => {
  const records = encoded(frame(0, [patch((k) => k)]), frame(1, [patch((k) => 2 * k)]), frame(2));

  it("at the end leaves the frames before it, wherever the bytes stop", () => {
    const bytes = join(records);
    const ends = [records[0].length, records[0].length + records[1].length, bytes.length];
    for (let length = 0; length <= bytes.length; length++) {
      const { frames, count } = read(bytes.slice(0, length));
      expect(count).toBe(ends.filter((end) => end <= length).length);
      expect(frames.damage).toBeNull();
    }
  });

  it("within a frame is named, and nothing after it is read", () => {
    const broken = records[1].slice();
    // More patches than the record has room for: after length, time, two poses and a contact.
    new DataView(broken.buffer).setUint16(4 + 8 + 4 * (2 * POSE + CONTACT), 9, true);
    const { frames, count } = read(join([records[0], broken, records[2]]));
    expect(count).toBe(1);
    expect(frames.count).toBe(1);
    expect(frames.poses.length).toBe(1);
    expect(frames.damage).toContain("frame 1");
    expect(frames.append(records[2])).toBe(0);
  });

  it("is noticed when a patch's beginning is missing", () => {
    expect(read(records[1]).frames.damage).toContain("beginning is missing");
  });

  it("is noticed when time runs backwards", () => {
    expect(read(join(encoded(frame(2), frame(1)))).frames.damage).toContain("frame 1");
  });
});
