// The 3-D page in a browser: it plays, scrubs, picks, follows, plots, on a desk and on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rover } from "../rover.mjs";
import { drawn, launch, open, seek, state } from "./browser.mjs";
import { eyes, scenePicture } from "./pixels.mjs";
import { realServer, serve } from "./serve.mjs";

let browser;
let server;
let look;

before(async () => {
  server = realServer === null ? await serve(rover({ duration: 20, spacing: 0.01, hump: 0.02 })) : { url: realServer, close: () => {} };
  browser = await launch();
  look = await eyes(browser);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Part of the run, as a time. */
const part = ({ start, end }, fraction) => start + fraction * (end - start);

/** Clicks bodies where they are drawn until one that lies open is picked. */
async function pickOne(page, click) {
  for (const body of (await state(page)).bodies.toReversed()) {
    const at = await page.evaluate((name) => window.touchdown.project(name), body);
    await click(at.x, at.y);
    await drawn(page);
    if ((await state(page)).picked === body) return body;
  }
  return assert.fail("no body could be picked");
}

test("it plays: time goes on and the picture changes", async () => {
  const { page, problems, context } = await open(browser, server.url);
  const first = await scenePicture(page);
  assert.ok((await look.colours(first)) > 40, "the scene has many colours");
  assert.ok((await look.compare(first, await scenePicture(page))) < 1e-3, "nothing moves while it stands");
  await page.locator(".td-speed").selectOption("8");
  await page.locator(".td-play").click();
  await page.waitForFunction((start) => window.touchdown.state().time > start, (await state(page)).start, { polling: 100 });
  await page.evaluate(() => window.touchdown.pause());
  await drawn(page);
  const paused = await state(page);
  assert.equal(paused.playing, false);
  assert.ok((await look.compare(first, await scenePicture(page))) > 0.002, "the picture has changed");
  await page.waitForTimeout(200);
  assert.equal((await state(page)).time, paused.time);
  assert.deepEqual(problems, []);
  await context.close();
});

test("two times look different, the same time looks the same", async () => {
  const { page, context } = await open(browser, server.url);
  const now = await state(page);
  const pictures = [];
  for (const fraction of [0.02, 0.9, 0.02]) {
    await seek(page, part(now, fraction));
    pictures.push(await scenePicture(page));
  }
  assert.ok((await look.compare(pictures[0], pictures[1])) > 0.005);
  assert.ok((await look.compare(pictures[0], pictures[2])) < 1e-3);
  await context.close();
});

test("nothing is drawn while it stands", async () => {
  const { page, context } = await open(browser, server.url);
  const asked = await page.evaluate(async () => {
    const own = window.requestAnimationFrame;
    let count = 0;
    window.requestAnimationFrame = (callback) => ((count += 1), own.call(window, callback));
    await new Promise((done) => setTimeout(done, 500));
    return count;
  });
  assert.equal(asked, 0);
  await context.close();
});

test("slider, keys and plot scrub, and the plot's line follows", async () => {
  const { page, problems, context } = await open(browser, server.url);
  const { start, end } = await state(page);
  await page.locator(".td-playhead").waitFor({ state: "attached" });
  const slider = await page.locator(".td-track .td-slider").boundingBox();
  await page.mouse.click(slider.x + 0.5 * slider.width, slider.y + slider.height / 2);
  await drawn(page);
  assert.ok(Math.abs((await state(page)).time - part({ start, end }, 0.5)) < 0.02 * (end - start));
  const plot = await page.locator(".td-plot .u-over").boundingBox();
  const line = async () => {
    const box = await page.locator(".td-playhead").boundingBox();
    return (box.x + box.width / 2 - plot.x) / plot.width;
  };
  assert.ok(Math.abs((await line()) - 0.5) < 0.02, "the line stands where the slider does");
  await page.mouse.click(plot.x + 0.25 * plot.width, plot.y + plot.height / 2);
  await drawn(page);
  assert.ok(Math.abs((await state(page)).time - part({ start, end }, 0.25)) < 0.01 * (end - start));
  assert.ok(Math.abs((await line()) - 0.25) < 0.01, "the line stands where the click was");
  await page.keyboard.press("Home");
  await drawn(page);
  assert.equal((await state(page)).time, start);
  await page.keyboard.press("ArrowRight");
  await drawn(page);
  const stepped = (await state(page)).time;
  assert.ok(stepped > start && stepped < part({ start, end }, 0.1));
  await page.keyboard.press("ArrowLeft");
  await drawn(page);
  assert.equal((await state(page)).time, start);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await drawn(page);
  assert.deepEqual([(await state(page)).playing, (await state(page)).speed], [true, 2]);
  await page.keyboard.press("Space");
  assert.equal((await state(page)).playing, false);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a click picks a body, shows its series, and the camera follows it", async () => {
  const { page, problems, context } = await open(browser, server.url);
  const begin = await state(page);
  const before = await scenePicture(page);
  const body = await pickOne(page, (x, y) => page.mouse.click(x, y));
  assert.ok((await look.compare(before, await scenePicture(page))) > 1e-4, "the body lights up");
  assert.equal(await page.locator(".td-body option:checked").textContent(), body);
  if (realServer === null) {
    const listed = await page.locator(".td-own .td-name").allTextContents();
    assert.ok(listed.includes(`soil.${body.replace("wheel_", "")}.sinkage_m`), listed.join());
    assert.ok((await state(page)).plotted.every((name) => listed.includes(name)));
    assert.notDeepEqual((await state(page)).plotted, begin.plotted);
  }
  await page.locator(".td-wide").first().click();
  await drawn(page);
  assert.equal((await state(page)).following, body);
  await seek(page, begin.start);
  const place = () => page.evaluate((name) => window.touchdown.project(name), body);
  const [from, at] = [(await state(page)).target, await place()];
  await seek(page, begin.end);
  const to = (await state(page)).target;
  assert.ok(Math.hypot(...to.map((value, k) => value - from[k])) > 0.02, "the camera's target has moved");
  const now = await place();
  assert.ok(Math.hypot(now.x - at.x, now.y - at.y) < 12, "the body stays where it is in the picture");
  await page.keyboard.press("Escape");
  await drawn(page);
  assert.equal((await state(page)).picked, null);
  assert.deepEqual((await state(page)).plotted, begin.plotted, "what was plotted before comes back");
  assert.deepEqual(problems, []);
  await context.close();
});

test("dragging turns the camera and picks nothing", async () => {
  const { page, context } = await open(browser, server.url);
  const before = await scenePicture(page);
  const { x, y } = await page.evaluate(() => window.touchdown.project(window.touchdown.state().bodies[0]));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 30, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  assert.equal((await state(page)).picked, null);
  assert.ok((await look.compare(before, await scenePicture(page))) > 0.05);
  await context.close();
});

test("every switch changes the picture", async () => {
  const { page, problems, context } = await open(browser, server.url);
  await seek(page, part(await state(page), 0.7));
  const layers = await page.locator("[data-layer]").all();
  assert.ok(layers.length >= 1);
  for (const layer of layers) {
    const before = await scenePicture(page);
    await layer.click();
    await drawn(page);
    const name = await layer.getAttribute("data-layer");
    assert.ok((await look.compare(before, await scenePicture(page))) > 2e-4, `${name} changes something`);
    await layer.click();
    await drawn(page);
    assert.ok((await look.compare(before, await scenePicture(page))) < 1e-3, `${name} comes back`);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test("columns are found by search and plotted on a click", async () => {
  const { page, context } = await open(browser, server.url);
  const { plotted } = await state(page);
  const wanted = await page.locator(".td-groups summary .td-name").last().textContent();
  await page.locator(".td-search").fill(wanted);
  const box = page.locator(".td-groups input[data-column]:not(:checked)").first();
  const name = await box.getAttribute("data-column").catch(() => null);
  if (name === null) return assert.fail("a search shows its columns");
  await box.check();
  await page.waitForFunction((column) => [...document.querySelectorAll(".td-plot-legend .td-name")].some((item) => item.textContent === column), name);
  assert.ok((await state(page)).plotted.includes(name));
  assert.ok(!plotted.includes(name));
  await context.close();
});

test("it works at 390 by 844 with fingers", async () => {
  const { page, problems, context } = await open(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `nothing sticks out sideways (${width})`);
  for (const control of await page.locator(".td-button:visible, .td-select:visible, .td-search:visible").all()) {
    const box = await control.boundingBox();
    assert.ok(box.height >= 44 && box.width >= 44, `${await control.getAttribute("aria-label")} is large enough for a finger`);
  }
  await page.locator(".td-play").tap();
  await page.waitForTimeout(800);
  const { time, start } = await state(page);
  assert.ok(time > start);
  await page.locator(".td-play").tap();
  await pickOne(page, (x, y) => page.touchscreen.tap(x, y));
  assert.ok((await look.colours(await scenePicture(page))) > 40);
  assert.deepEqual(problems, []);
  await context.close();
});

test("every control has a name", async () => {
  const { page, context } = await open(browser, server.url);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas")]
      .filter((control) => !control.getAttribute("aria-label") && !control.labels?.length && !control.textContent.trim())
      .map((control) => control.outerHTML),
  );
  assert.deepEqual(nameless, []);
  await context.close();
});
