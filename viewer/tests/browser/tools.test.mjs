// Tools of the replay: views, zoom to the pointer, measuring, pictures and films, keys.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { join } from "../encode.mjs";
import { rover } from "../rover.mjs";
import { drawn, launch, open, seek, state } from "./browser.mjs";
import { serve } from "./serve.mjs";

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await serve(rover({ duration: 4, every: 0.2, spacing: 0.02 }));
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const shown = async (run) => {
  const opened = await open(browser, server.url, { viewport: { width: 1000, height: 700 }, acceptDownloads: true });
  await opened.page.locator(".td-scale:not([hidden])").waitFor();
  await run(opened.page);
  assert.deepEqual(opened.problems, []);
  await opened.context.close();
};

/** Length that the scale bar stands for per pixel, m. */
const metresPerPixel = (page) => page.evaluate(() => {
  const [, number, unit] = /([\d.]+) (\w+)/.exec(document.querySelector(".td-scale span").textContent);
  return (Number(number) * { km: 1e3, m: 1, cm: 1e-2, mm: 1e-3 }[unit]) / document.querySelector(".td-scale-bar").getBoundingClientRect().width;
});

test("the wheel brings nearer what lies under the pointer", () => shown(async (page) => {
  const before = await metresPerPixel(page);
  const wheel = await page.evaluate(() => window.touchdown.project("wheel_front_right"));
  await page.mouse.move(wheel.x, wheel.y);
  for (let k = 0; k < 8; k++) await page.mouse.wheel(0, -100);
  await drawn(page);
  const now = await page.evaluate(() => window.touchdown.project("wheel_front_right"));
  assert.ok(Math.hypot(now.x - wheel.x, now.y - wheel.y) < 60, `it stays under the pointer: ${JSON.stringify([wheel, now])}`);
  assert.ok((await metresPerPixel(page)) < 0.6 * before, "the picture became larger");
  // However long one turns, the camera does not enter what it looks at.
  for (let k = 0; k < 60; k++) await page.mouse.wheel(0, -100);
  await drawn(page);
  const { target } = await state(page);
  assert.ok(target.every(Number.isFinite));
}));

test("views, keys and the wheel's close-up move the camera", () => shown(async (page) => {
  const look = async () => JSON.stringify([await metresPerPixel(page), await page.evaluate(() => window.touchdown.project("chassis"))]);
  const seen = new Set([await look()]);
  for (const key of ["t", "s", "f", "]", "+", "w"]) {
    await page.keyboard.press(key);
    await drawn(page);
    seen.add(await look());
  }
  assert.equal(seen.size, 7, "each shows something else");
  assert.match((await state(page)).following, /^wheel_/);
  await page.locator("[data-view=home]").click();
  await drawn(page);
}));

test("two clicks measure a distance", () => shown(async (page) => {
  await seek(page, 0);
  await page.keyboard.press("t");
  await page.keyboard.press("m");
  await drawn(page);
  const [a, b] = await page.evaluate(() => ["wheel_rear_right", "wheel_front_right"].map((name) => window.touchdown.project(name)));
  await page.mouse.click(a.x, a.y);
  assert.match(await page.locator(".td-measured").innerText(), /second point/);
  await page.mouse.click(b.x, b.y);
  const text = await page.locator(".td-measured").innerText();
  // The wheels stand 1.46 m apart; what is clicked are their upper sides, by a thirtieth nearer to the camera than their centres.
  const metres = Number(/Distance ([\d.]+) m/.exec(text)?.[1]);
  assert.ok(Math.abs(metres - 1.46) < 0.075, text);
}));

test("a picture is saved as PNG and a film as WebM", () => shown(async (page) => {
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()]);
  assert.match(png.suggestedFilename(), /^rover-made-up-.*s\.png$/);
  const picture = await readFile(await png.path());
  assert.deepEqual([...picture.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(picture.length > 5000, `${picture.length} bytes: more than an empty picture`);
  const film = page.getByRole("button", { name: "WebM" });
  if (!(await film.isVisible())) return;
  await page.evaluate(() => window.touchdown.speed(4));
  const [webm] = await Promise.all([page.waitForEvent("download", { timeout: 60_000 }), film.click()]);
  const bytes = await readFile(await webm.path());
  assert.deepEqual([...bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
  assert.equal((await state(page)).playing, false);
}));

test("edges of the geometry that touches can be shown", () => shown(async (page) => {
  const box = page.locator("[data-layer=wire]");
  assert.equal(await box.isChecked(), false);
  await box.check();
  await drawn(page);
}));

test("the report of another run plays beside this one, at the same time", () => shown(async (page) => {
  const other = rover({ duration: 3, every: 0.2, spacing: 0.04, name: "another" });
  const html = `<!doctype html><script type="application/json" id="replay-scene">${JSON.stringify({ ...other.scene, title: "Another run" })}</script>
    <script type="text/plain" id="replay-frames">${gzipSync(join(other.frames)).toString("base64")}</script>`;
  const pick = async (buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Beside" }).first().click()]);
    await chooser.setFiles({ name: "report.html", mimeType: "text/html", buffer });
  };
  await pick(Buffer.from("<p>nothing"));
  await page.getByText("cannot be shown beside this run").waitFor();
  await pick(Buffer.from(html));
  await page.locator(".td-beside .td-scene canvas").waitFor();
  assert.equal(await page.locator(".td-beside-head span").innerText(), "Another run");
  await seek(page, 1.4);
  await drawn(page);
  assert.match(await page.locator(".td-beside .td-now").innerText(), /^1\.40/);
  await page.getByRole("button", { name: "Close the run beside" }).click();
  assert.equal(await page.locator(".td-beside").count(), 0);
}));
