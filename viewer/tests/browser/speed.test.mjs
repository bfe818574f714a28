// Three minutes of six wheels in fine soil load in under three seconds and play with less than eight milliseconds of script a frame.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rover } from "../rover.mjs";
import { launch, open, state } from "./browser.mjs";
import { realServer, serve } from "./serve.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a long run loads and plays fast enough", async (t) => {
  const server = realServer === null ? await serve(rover()) : { url: realServer, close: () => {} };
  // Drawing is done in software here; a small picture leaves the machine time for what is measured.
  const { page, context } = await open(browser, server.url, { viewport: { width: 900, height: 600 } });
  const { loadMs, frames } = await state(page);
  await page.evaluate(() => {
    window.touchdown.speed(8);
    window.touchdown.play();
    window.touchdown.resetStats();
  });
  await page.waitForFunction(() => window.touchdown.frameStats().frames >= 60 || !window.touchdown.state().playing, null, { timeout: 60_000 });
  const stats = await page.evaluate(() => window.touchdown.frameStats());
  const rounded = Object.entries(stats).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
  t.diagnostic(`${frames} frames, load ${loadMs.toFixed(0)} ms; ${rounded}`);
  assert.ok(loadMs < 3000, `reading and building took ${loadMs} ms`);
  assert.ok(stats.frames >= 30, "enough frames were played to judge");
  assert.ok(stats.p95ScriptMs < 8, `95 of 100 frames need ${stats.p95ScriptMs} ms of script`);
  await context.close();
  await server.close();
});
