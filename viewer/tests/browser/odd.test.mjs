// Runs that are not as they should be: in progress, damaged, hostile; and one inside a report.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { join } from "../encode.mjs";
import { rover } from "../rover.mjs";
import { drawn, launch, open, seek, state } from "./browser.mjs";
import { eyes, scenePicture } from "./pixels.mjs";
import { serve } from "./serve.mjs";

let browser;
const small = () => rover({ duration: 8, spacing: 0.01 });

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function visit(run, options, then) {
  const server = await serve(run, options);
  const { page, problems, context } = await open(browser, server.url);
  await then(page, server, problems);
  await context.close();
  await server.close();
}

test("a run in progress is followed until someone scrubs", async () => {
  const run = small();
  await visit(run, { frames: 5, live: true }, async (page, server, problems) => {
    await page.waitForFunction(() => window.touchdown.state().clinging);
    const first = await state(page);
    assert.equal(first.frames, 5);
    server.grow(20, true);
    await page.waitForFunction(() => window.touchdown.state().frames === 20);
    const grown = await state(page);
    assert.ok(grown.end > first.end);
    assert.equal(grown.time, grown.end, "the end is shown");
    await seek(page, first.end);
    server.grow(30, true);
    await page.waitForFunction(() => window.touchdown.state().frames === 30);
    assert.equal((await state(page)).time, first.end, "someone who scrubbed is left alone");
    await page.locator(".td-live").click();
    assert.equal((await state(page)).time, (await state(page)).end);
    server.grow(run.frames.length, false);
    await page.waitForFunction(() => !window.touchdown.state().live);
    assert.equal((await state(page)).frames, run.frames.length);
    await page.waitForFunction(() => document.querySelector(".td-live").hidden);
    assert.deepEqual(problems, []);
  });
});

test("a run of which nothing is there yet shows itself when it comes", async () => {
  const server = await serve(small(), { frames: 0, live: true });
  const opened = open(browser, server.url);
  setTimeout(() => server.grow(10, true), 1000);
  const { page, problems, context } = await opened;
  await page.waitForFunction(() => window.touchdown.state().frames === 10);
  await drawn(page);
  const look = await eyes(browser);
  assert.ok((await look.colours(await scenePicture(page))) > 40);
  assert.deepEqual(problems, []);
  await context.close();
  await server.close();
});

test("what is missing or damaged is said", async () => {
  const run = small();
  run.scene.notes = ["frames.mcap ends early: 12 of 41 frames"];
  // The fifth frame announces more than it holds.
  new DataView(run.frames[5].buffer).setUint16(4 + 8 + 4 * (7 * run.scene.bodies.length + 6 * run.scene.contacts.length), 999, true);
  await visit(run, {}, async (page) => {
    const { frames, notes } = await state(page);
    assert.equal(frames, 5);
    assert.equal(notes.length, 2);
    assert.ok(notes[1].startsWith("frame 5"));
    assert.ok(await page.getByText(run.scene.notes[0]).isVisible());
  });
});

test("names cannot become markup", async () => {
  const run = small();
  const nasty = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const rename = new Map(run.scene.columns.slice(1).map((column) => [column.name, `${nasty}.${column.name}`]));
  run.scene.title = run.scene.scenario = nasty;
  run.scene.bodies = run.scene.bodies.map((name) => nasty + name);
  run.scene.contacts.forEach((contact) => (contact.name = nasty));
  run.scene.notes = [nasty];
  run.scene.phases.forEach((phase) => (phase.label = nasty));
  run.scene.figures = [{ title: nasty, columns: [rename.values().next().value] }];
  run.scene.columns.forEach((column) => Object.assign(column, { name: rename.get(column.name) ?? column.name, about: nasty, unit: column.name === "time_s" ? "s" : nasty }));
  await visit(run, {}, async (page, _, problems) => {
    await page.locator(".td-body").selectOption("1");
    await page.locator(".td-groups summary").first().click();
    await drawn(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#view img, #view script").length), 0);
    assert.equal(await page.locator(".td-header h1").textContent(), nasty);
    assert.deepEqual(problems, []);
  });
});

test("an address that does not answer is reported, not left blank", async () => {
  const run = small();
  run.scene.format = 7;
  const server = await serve(run);
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.url);
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /format 7/);
  await page.context().close();
  await server.close();
});

test("inside a report it plays from the data of the page, without a network", async () => {
  const run = small();
  const [bundle] = await build({
    configFile: false, logLevel: "silent",
    build: { write: false, lib: { entry: "src/replay-embed.ts", formats: ["iife"], name: "embed", fileName: "embed" } },
  });
  const script = bundle.output.find((file) => file.fileName.endsWith(".js")).code;
  const style = bundle.output.find((file) => file.fileName.endsWith(".css")).source;
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 900 }, offline: true })).newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.setContent(`<!doctype html><meta charset="utf-8"><body><div id="replay"></div>`);
  await page.addStyleTag({ content: String(style) });
  await page.addScriptTag({ content: script });
  const times = [0, 2, 4, 8];
  const line = { label: "pull", column: "spring.drawbar.force_n", about: "", values: [0, 10, 15, 20] };
  const figures = { phases: [], figures: [{ name: "pull", title: "Pull", source: "", x: { label: "time", unit: "s", time: true, values: times }, y: { label: "pull", unit: "N", lines: [line] } }] };
  await page.evaluate(async ([scene, packed, given]) => {
    const frames = await globalThis.embed.gunzipBase64(packed);
    window.touchdown = await globalThis.embed.mountReplay(document.getElementById("replay"), scene, frames, given);
  }, [JSON.stringify(run.scene), gzipSync(join(run.frames)).toString("base64"), figures]);
  await drawn(page);
  const now = await state(page);
  assert.deepEqual([now.frames, now.time, now.plotted], [run.frames.length, now.end, ["spring.drawbar.force_n"]]);
  const look = await eyes(browser);
  const end = await scenePicture(page);
  assert.ok((await look.colours(end)) > 40);
  await seek(page, 0);
  assert.ok((await look.compare(end, await scenePicture(page))) > 0.002);
  assert.deepEqual(problems, []);
  await page.context().close();
});
