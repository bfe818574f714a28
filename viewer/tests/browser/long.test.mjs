// No page keeps the browser from answering for more than a fifth of a second: neither a rover's long run in fine soil, nor forms that bend
// among fine meshes, nor a million rows. Tasks are measured by the processor time of the page's own thread, so that a busy machine does not fail them; what the
// Long Tasks API reports by the clock is printed beside it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Encoder } from "../encode.mjs";
import { rover } from "../rover.mjs";
import { drawn, launch } from "./browser.mjs";
import { serve } from "./serve.mjs";

const LONGEST_MS = 200;
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A sphere of n by n corners around a place. */
function ball(n, radius) {
  const [vertices, triangles] = [[], []];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const [a, b] = [(2 * Math.PI * i) / n, (Math.PI * j) / n];
      vertices.push(radius * Math.sin(b) * Math.cos(a), radius * Math.sin(b) * Math.sin(a), radius * Math.cos(b));
      const k = j * (n + 1) + i;
      if (i < n && j < n) triangles.push(k, k + 1, k + n + 2, k, k + n + 2, k + n + 1);
    }
  }
  return { kind: "mesh", vertices, triangles };
}

/** A crown of 2,100 corners that bends, and 27,000 more vertices on the same body, as a docking has them. */
function crown() {
  const own = ball(45, 1);
  const form = (name, contact, deforms, shape) => ({ name, body: 0, contact, deforms, colour: [0.6, 0.6, 0.6, 1], position: [0, 0, 0], quaternion: [1, 0, 0, 0], shape });
  const scene = {
    format: 2, scenario: "crown", title: "Crown", duration_s: 2, frames_every_s: 0.1, bodies: ["tool"], contacts: [],
    forms: [form("crown", true, 0, own), ...[0, 1, 2].map((k) => form(`part ${k}`, false, null, ball(94, 0.9 + 0.1 * k)))],
    ground: null, arrow_m_per_n: 0, columns: [], phases: [], figures: [], notes: [],
  };
  const encoder = new Encoder();
  const frames = Array.from({ length: 21 }, (_, n) =>
    encoder.record({ time: 0.1 * n, poses: [[0, 0, 0, 1, 0, 0, 0]], contacts: [], patches: [], pressures: [], deformations: [own.vertices.map((x) => 0.01 * n * x)] }));
  return { scene, frames, series: new Map(), rows: 0 };
}

/** A short run with a million rows of its series, of which the six columns of a figure are plotted. */
function millionRows() {
  const run = rover({ duration: 4 });
  const rows = 1_000_000;
  const every = 4 / (rows - 1);
  const column = (name, k) => [name, Float64Array.from({ length: rows }, (_, row) => (name === "time_s" ? row * every : Math.sin(20 * row * every + k)))];
  const scene = { ...run.scene, figures: run.scene.figures.filter((figure) => figure.columns.length === 6) };
  return { ...run, scene, rows, series: new Map([...run.series.keys()].map(column)) };
}

/** Loads a page, plays it a little, and returns the longest tasks of its main thread, ms of processor time and of the clock. */
async function longest(url) {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  });
  const client = await context.newCDPSession(page);
  const tasks = new Map();
  const mains = new Set();
  client.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, args, pid, tid, tdur = 0 } of value) {
      if (name === "thread_name" && args.name === "CrRendererMain") mains.add(`${pid}/${tid}`);
      if (name === "RunTask") tasks.set(`${pid}/${tid}`, Math.max(tasks.get(`${pid}/${tid}`) ?? 0, tdur / 1000));
    }
  });
  await client.send("Tracing.start", { categories: "disabled-by-default-devtools.timeline,devtools.timeline,__metadata", transferMode: "ReportEvents" });
  await page.goto(url);
  await page.waitForFunction(() => window.touchdown !== undefined, null, { timeout: 60_000 });
  await drawn(page);
  await page.evaluate(() => {
    window.touchdown.seek(window.touchdown.state().start);
    window.touchdown.play();
  });
  await page.waitForFunction(() => window.touchdown.frameStats().frames >= 5, null, { timeout: 60_000, polling: 100 });
  const clock = Math.max(0, ...(await page.evaluate(() => window.longTasks)));
  const complete = new Promise((done) => client.once("Tracing.tracingComplete", done));
  await client.send("Tracing.end");
  await complete;
  await context.close();
  const cpu = Math.max(...[...tasks].filter(([thread]) => mains.has(thread)).map(([, ms]) => ms));
  assert.ok(cpu > 0, "tasks were seen");
  return { cpu, clock };
}

for (const [name, make] of [["a long run in fine soil", rover], ["a form that bends among fine meshes", crown], ["a plot of a million rows", millionRows]]) {
  test(`${name} never blocks the page for long`, async (t) => {
    const server = await serve(make());
    let found = await longest(server.url);
    // Caches shared with other programs slow a processor down, too: the better of two tries is the page's own.
    if (found.cpu >= LONGEST_MS) found = await longest(server.url);
    t.diagnostic(`longest task: ${found.cpu.toFixed(0)} ms of processor time, ${found.clock.toFixed(0)} ms by the clock`);
    assert.ok(found.cpu < LONGEST_MS, `a task took ${found.cpu} ms of processor time`);
    await server.close();
  });
}
