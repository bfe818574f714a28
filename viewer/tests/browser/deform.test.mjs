// A tyre that gives way: loaded it looks different, relieved it looks as before, and its pretty rim gives way with it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Encoder } from "../encode.mjs";
import { launch, open, seek } from "./browser.mjs";
import { eyes, scenePicture } from "./pixels.mjs";
import { serve } from "./serve.mjs";

const RADIUS = 0.25;
const SEGMENTS = 64;
const PUSHED = 0.08;

/** A cylinder about z: its mantle and its sides, which meet in the middle. */
function cylinder() {
  const vertices = [];
  const triangles = [];
  for (const z of [-0.05, 0.05]) {
    for (let k = 0; k < SEGMENTS; k++) vertices.push(RADIUS * Math.cos((2 * Math.PI * k) / SEGMENTS), RADIUS * Math.sin((2 * Math.PI * k) / SEGMENTS), z);
  }
  const [low, high] = [2 * SEGMENTS, 2 * SEGMENTS + 1];
  vertices.push(0, 0, -0.05, 0, 0, 0.05);
  for (let k = 0; k < SEGMENTS; k++) {
    const next = (k + 1) % SEGMENTS;
    triangles.push(k, next, SEGMENTS + next, k, SEGMENTS + next, SEGMENTS + k, low, next, k, high, SEGMENTS + k, SEGMENTS + next);
  }
  return { kind: "mesh", vertices, triangles };
}

/** Three frames of a wheel that does not move: at rest, flattened from below, at rest. */
function tyre({ pretty }) {
  const shape = cylinder();
  const common = { body: 0, position: [0, 0, 0], quaternion: [Math.SQRT1_2, Math.SQRT1_2, 0, 0] };
  const rim = { ...common, name: "rim", contact: false, deforms: null, colour: [0.5, 0.5, 0.5, 1], shape: { kind: "cylinder", radius: RADIUS, length: 0.1 } };
  const touching = { ...common, name: "tyre", contact: true, deforms: 0, colour: [0.9, 0.4, 0.1, 1], shape };
  // A quarter turn about x: the form's y is the world's z.
  const flattened = shape.vertices.map((_, k) => (k % 3 === 1 ? Math.max(0, PUSHED - RADIUS - shape.vertices[k]) : 0));
  const encoder = new Encoder();
  const frame = (time, corners) => encoder.record({ time, poses: [[0, 0, RADIUS, 1, 0, 0, 0]], contacts: [], patches: [], pressures: [], deformations: [corners] });
  const frames = [frame(0, flattened.map(() => 0)), frame(1, flattened), frame(2, flattened.map(() => 0))];
  const scene = {
    format: 2, scenario: "made-up", title: "A tyre", duration_s: 2, frames_every_s: 1, bodies: ["wheel"], contacts: [],
    forms: pretty ? [rim, touching] : [touching], ground: null, arrow_m_per_n: 0, columns: [], phases: [], figures: [], notes: [],
  };
  return { scene, frames, series: new Map(), rows: 0 };
}

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const pretty of [false, true]) {
  test(`${pretty ? "the rim over a tyre" : "a tyre"} gives way and comes back`, async () => {
    const server = await serve(tyre({ pretty }));
    const look = await eyes(browser);
    const { page, problems, context } = await open(browser, server.url);
    const pictures = [];
    for (const time of [0, 1, 2]) {
      await seek(page, time);
      pictures.push(await scenePicture(page));
    }
    assert.ok((await look.compare(pictures[0], pictures[1])) > 0.002, "loaded it looks different");
    assert.ok((await look.compare(pictures[0], pictures[2])) < 1e-3, "relieved it looks as before");
    assert.deepEqual(problems, []);
    await context.close();
    await server.close();
  });
}
