// Three minutes of six wheels in fine soil load in under three seconds and play with less than eight milliseconds a frame: processor time of the page's own thread, so
// that a busy machine does not fail it. What the clock says is printed beside it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rover } from "../rover.mjs";
import { drawn, launch, state } from "./browser.mjs";
import { realServer, serve } from "./serve.mjs";

const MOST_LOAD_MS = 3000;
const MOST_FRAME_MS = 8;
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a long run loads and plays fast enough", async (t) => {
  const server = realServer === null ? await serve(rover()) : { url: realServer, close: () => {} };
  // Drawing is done in software here; a small picture leaves the machine time for what is measured.
  const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
  const page = await context.newPage();
  const loading = await watch(context, page, "RunTask");
  await page.goto(server.url);
  await page.waitForFunction(() => window.touchdown !== undefined, null, { timeout: 60_000 });
  await drawn(page);
  const load = (await loading()).reduce((sum, ms) => sum + ms, 0);
  const { loadMs, frames } = await state(page);
  let [whole, stats] = [Infinity, null];
  // Caches shared with other programs slow a processor down, too: the best of three tries is the page's own.
  for (let tries = 0; tries < 3 && !(whole < MOST_FRAME_MS); tries++) {
    const playing = await watch(context, page, "FireAnimationFrame");
    await page.evaluate(() => {
      window.touchdown.seek(0);
      window.touchdown.speed(8);
      window.touchdown.play();
      window.touchdown.resetStats();
    });
    await page.waitForFunction(() => window.touchdown.frameStats().frames >= 40 || !window.touchdown.state().playing, null, { timeout: 90_000, polling: 100 });
    await page.evaluate(() => window.touchdown.pause());
    stats = await page.evaluate(() => window.touchdown.frameStats());
    const times = (await playing()).sort((a, b) => a - b);
    assert.ok(times.length >= 30, "enough frames were played to judge");
    whole = Math.min(whole, times[Math.ceil(0.95 * times.length) - 1]);
  }
  const rounded = Object.entries(stats).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
  t.diagnostic(`${frames} frames; processor time: load ${load.toFixed(0)} ms, 95 of 100 frames below ${whole.toFixed(2)} ms; by the clock: load ${loadMs.toFixed(0)} ms, ${rounded}`);
  assert.ok(load < MOST_LOAD_MS, `reading and building took ${load} ms of processor time`);
  assert.ok(whole < MOST_FRAME_MS, `95 of 100 frames need ${whole} ms of processor time`);
  await context.close();
  await server.close();
});

/** Starts to watch the tasks of this name on the page's main thread. The function returned stops and gives the processor time of each, ms. */
async function watch(context, page, task) {
  const client = await context.newCDPSession(page);
  const [times, mains] = [[], new Set()];
  client.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, args, pid, tid, tdur = 0 } of value) {
      if (name === "thread_name" && args.name === "CrRendererMain") mains.add(`${pid}/${tid}`);
      if (name === task && tdur > 0) times.push([`${pid}/${tid}`, tdur / 1000]);
    }
  });
  await client.send("Tracing.start", { categories: "disabled-by-default-devtools.timeline,devtools.timeline,__metadata", transferMode: "ReportEvents" });
  return async () => {
    const complete = new Promise((done) => client.once("Tracing.tracingComplete", done));
    await client.send("Tracing.end");
    await complete;
    await client.detach();
    const own = times.filter(([thread]) => mains.has(thread)).map(([, ms]) => ms);
    assert.ok(own.length > 0, "tasks were seen");
    return own;
  };
}
