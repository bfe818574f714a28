// Reports in a browser, opened from disk: no network, no errors, figures with titles, units and data, on a desk, on a phone and on paper.
// RUNS_DIR names a folder that holds the run folders single-wheel and rover-drawbar-pull.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { drawn, launch } from "./browser.mjs";
import { eyes } from "./pixels.mjs";

const RUNS = process.env.RUNS_DIR;
const REPORTS = ["single-wheel", "rover-drawbar-pull"];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser;
let look;

before(async () => {
  if (RUNS === undefined) return;
  browser = await launch();
  look = await eyes(browser);
});
after(() => browser?.close());

/** The page of a run. */
function fileOf(name) {
  const file = resolve(join(RUNS, name, "report.html"));
  assert.ok(existsSync(file), `${file} is missing: touchdown report ${join(RUNS, name)} makes it`);
  return file;
}

/** A report, its problems (errors, requests to anywhere) gathered. */
async function open(name, { draws = false, ...options } = {}, file = fileOf(name)) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  if (draws) await page.addInitScript(rememberAxes);
  const problems = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.locator(".u-wrap canvas").first().waitFor();
  await page.waitForFunction(() => window.touchdown !== undefined, null, { timeout: 60_000 });
  await drawn(page);
  return { page, context, problems };
}

/** In the page: remembers texts drawn on charts; `drawnAxes` returns the numbers of each axis in order, of the last drawing. */
function rememberAxes() {
  const drawn = new Map();
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { a, b, e, f } = this.getTransform();
    // Titles of vertical axes are turned.
    if (b === 0) {
      const places = drawn.get(this.canvas) ?? new Map();
      places.set(`${Math.round(a * x + e)} ${Math.round(a * y + f)}`, text);
      drawn.set(this.canvas, places);
    }
    return fill.apply(this, arguments);
  };
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function () {
    drawn.delete(this.canvas);
    return clear.apply(this, arguments);
  };
  const isNumber = (text) => /^[+−-]?[\d\s\u2009]*\.?\d+$/.test(text);
  window.drawnAxes = () => {
    const axes = [];
    for (const places of drawn.values()) {
      const labels = [...places].map(([place, text]) => [...place.split(" ").map(Number), text]).filter(([, , text]) => isNumber(text));
      for (const across of [1, 0]) {
        const groups = Map.groupBy(labels, (label) => label[across]);
        for (const group of groups.values()) if (group.length >= 3) axes.push(group.sort((p, q) => p[1 - across] - q[1 - across]).map((label) => label[2]));
      }
    }
    return axes;
  };
}

const data = (page) => page.evaluate(() => JSON.parse(document.getElementById("figures").textContent));
const charts = (page) => page.locator("figure.chart .plot");

for (const name of REPORTS) {
  describe(`the report of ${name}`, { skip: RUNS === undefined ? "RUNS_DIR is not set" : false }, () => {
    test("opens from disk without network and errors, the answer first", async () => {
      const { page, context, problems } = await open(name);
      const value = page.locator(".answer .value");
      assert.match(await value.innerText(), /^[−\d][\d.]*\s+\S+/);
      const box = await value.boundingBox();
      assert.ok(box.y + box.height < 500, "the answer is seen without scrolling");
      assert.match(await page.locator(".answer .status").innerText(), /finished/);
      assert.match(await page.locator(".answer .trust").innerText(), /validity checks/);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await drawn(page);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test("figures have titles, units and data", async () => {
      const { page, context } = await open(name);
      const { figures } = await data(page);
      assert.ok(figures.length >= 3);
      assert.equal(await charts(page).count(), figures.length);
      for (const [n, figure] of figures.entries()) {
        const place = page.locator("figure.chart", { has: page.locator(`[data-figure="${n}"]`) });
        assert.ok((await place.locator("h3").innerText()).includes(figure.title) && figure.title.length > 3);
        assert.ok(figure.x.label && figure.y.label);
        assert.equal(figure.x.unit.length > 0 || figure.y.unit.length > 0, true, `${figure.title} has units`);
        assert.ok(figure.x.values.length > 100 && figure.x.values.length < 2500);
        for (const line of figure.y.lines) {
          const values = line.values.filter((value) => value !== null);
          assert.ok(values.length > 100, `${line.column} has values`);
          // A wheel that rolls straight ahead is pushed to neither side.
          const isNone = name === "single-wheel" && line.column === "soil.wheel.force_y_n";
          const [least, most] = [Math.min(...values), Math.max(...values)];
          assert.ok(isNone ? least === 0 && most === 0 : most > least, `${line.column} varies, unless it is none`);
        }
        assert.equal(await place.locator(".legend button").count(), figure.y.lines.length);
        // Without its lines the chart looks different: they were drawn.
        const picture = async () => {
          await page.mouse.move(0, 0);
          await drawn(page);
          return place.locator(".u-wrap canvas").screenshot();
        };
        const with_ = await picture();
        for (const button of await place.locator(".legend button").all()) await button.click();
        assert.ok((await look.compare(with_, await picture())) > 0.002, `${figure.title} is drawn`);
      }
      await context.close();
    });

    test("tick labels are the values of evenly spaced ticks", async () => {
      const { page, context } = await open(name, { draws: true });
      const axes = await page.evaluate(() => window.drawnAxes());
      assert.ok(axes.length >= 6, `${axes.length} axes`);
      for (const texts of axes) {
        const values = texts.map((text) => Number(text.replaceAll(/[\s\u2009]/g, "").replace("−", "-").replace("+", "")));
        assert.ok(values.every(Number.isFinite), texts.join(", "));
        const steps = values.slice(1).map((value, k) => value - values[k]);
        const step = steps[0];
        assert.ok(step !== 0 && steps.every((one) => Math.abs(one - step) < 1e-6 * Math.abs(step)), texts.join(", "));
      }
      await context.close();
    });

    test("the legend reads out values at the cursor, in all charts against time, and switches lines", async () => {
      const { page, context } = await open(name);
      const { figures } = await data(page);
      const timed = figures.flatMap((figure, n) => (figure.x.time ? [n] : []));
      const place = (n) => page.locator(`[data-figure="${n}"]`);
      const over = place(timed[0]).locator(".u-over");
      await over.scrollIntoViewIfNeeded();
      await over.hover({ position: { x: 200, y: 60 } });
      await drawn(page);
      for (const n of timed) {
        const [figure, texts] = [figures[n], await place(n).locator(".legend output").allInnerTexts()];
        const at = await place(n).locator(".legend .at").innerText();
        assert.match(at, /^time [\d.]+ s$/);
        const time = Number(at.split(" ")[1]);
        // The row whose time is nearest has the values that are shown.
        const row = figure.x.values.reduce((best, t, k) => (Math.abs(t - time) < Math.abs(figure.x.values[best] - time) ? k : best), 0);
        texts.forEach((text, k) => {
          const shown = Number(text.replace("−", "-").replace(/×10.*/, ""));
          const exact = figure.y.lines[k].values[row];
          if (exact !== null && !text.includes("×")) assert.ok(Math.abs(shown - exact) <= 1e-3 * Math.abs(exact) + 1e-4, `${text} is ${exact}`);
        });
      }
      const canvas = place(timed[0]).locator(".u-wrap canvas");
      await page.mouse.move(0, 0);
      const before = await canvas.screenshot();
      await place(timed[0]).locator(".legend button").first().click();
      await drawn(page);
      assert.equal(await place(timed[0]).locator(".legend button").first().getAttribute("aria-pressed"), "false");
      assert.ok((await look.compare(before, await canvas.screenshot())) > 1e-4, "the line is gone");
      await context.close();
    });

    test("dragging zooms, a double click shows all again", async () => {
      const { page, context } = await open(name);
      const plot = page.locator("[data-figure]").first();
      const canvas = plot.locator(".u-wrap canvas");
      await plot.scrollIntoViewIfNeeded();
      const box = await plot.locator(".u-over").boundingBox();
      const picture = async () => {
        await page.mouse.move(2, 2);
        await drawn(page);
        return canvas.screenshot();
      };
      const whole = await picture();
      await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.2 * box.height);
      await page.mouse.down();
      await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.7 * box.height, { steps: 5 });
      await page.mouse.up();
      assert.ok((await look.compare(whole, await picture())) > 0.002, "a part is shown");
      await plot.locator(".u-over").dblclick({ position: { x: 40, y: 40 } });
      assert.ok((await look.compare(whole, await picture())) < 1e-3, "all is shown again");
      await context.close();
    });

    test("the replay shows the scene, and a click on a chart moves it", async () => {
      const { page, context, problems } = await open(name);
      const canvas = page.locator(".td-scene canvas");
      await canvas.scrollIntoViewIfNeeded();
      await drawn(page);
      assert.ok((await look.colours(await canvas.screenshot())) > 40, "the scene is not blank");
      const { figures } = await data(page);
      const over = page.locator(`[data-figure="${figures.findIndex((figure) => figure.x.time)}"] .u-over`);
      const { width } = await over.boundingBox();
      await over.click({ position: { x: width / 2, y: 50 } });
      await drawn(page);
      const { time, start, end } = await page.evaluate(() => window.touchdown.state());
      assert.ok(Math.abs(time - (start + end) / 2) < 0.05 * (end - start), `stands at ${time} s`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test("on a phone nothing is wider than the page", async () => {
      const { page, context, problems } = await open(name, PHONE);
      for (const open of [false, true]) {
        await page.evaluate((now) => document.querySelectorAll("details").forEach((d) => (d.open = now)), open);
        await drawn(page);
        const [content, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(content <= window_ && window_ === 390, `${content} px of ${window_}`);
      }
      const { width } = await charts(page).first().boundingBox();
      assert.ok(width > 300 && width <= 390);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test("on wide screens no table is cut off", async () => {
      for (const width of [1280, 1600, 1920]) {
        const { page, context } = await open(name, { viewport: { width, height: 900 } });
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll("section > .scroll")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.closest("section").id} ${box.scrollWidth} of ${box.clientWidth}`),
        );
        assert.deepEqual(cut, [], `at ${width} px`);
        await context.close();
      }
    });

    test("keys reach charts, legends and tables", async () => {
      const { page, context } = await open(name);
      const chart = page.locator("[data-figure] .uplot").first();
      await chart.focus();
      await page.keyboard.press("ArrowRight");
      await drawn(page);
      assert.notEqual(await page.locator("[data-figure] .legend .at").first().innerText(), "");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.closest(".legend") !== null), true);
      await context.close();
    });

    test("dark pages are dark, charts too", async () => {
      const { page, context } = await open(name, { colorScheme: "dark" });
      const luminance = await page.evaluate(() => {
        const numbers = (colour) => colour.match(/\d+/g).slice(0, 3).map(Number);
        const style = getComputedStyle(document.body);
        return [style.backgroundColor, style.color].map((colour) => numbers(colour).reduce((a, b) => a + b) / 765);
      });
      assert.ok(luminance[0] < 0.2 && luminance[1] > 0.7);
      await page.emulateMedia({ colorScheme: "light" });
      await drawn(page);
      const light = await page.locator("[data-figure] canvas").first().screenshot();
      await page.emulateMedia({ colorScheme: "dark" });
      await drawn(page);
      const dark = await page.locator("[data-figure] canvas").first().screenshot();
      assert.ok((await look.compare(light, dark)) > 0.5, "the chart follows");
      await context.close();
    });

    test("on paper charts fit the sheet and the replay is left out", async () => {
      const { page, context, problems } = await open(name, { colorScheme: "dark" });
      await page.setViewportSize({ width: 680, height: 900 });
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await drawn(page);
      assert.equal(await page.locator("#replay").isVisible(), false);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 680);
      const { width } = await charts(page).first().locator("canvas").boundingBox();
      assert.ok(width > 500 && width <= 680);
      const white = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(white, "rgb(255, 255, 255)");
      assert.ok((await page.pdf({ format: "A4" })).length > 20_000);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test("hostile names in its data stay text", async () => {
      // Every text that the scripts are given, replaced by one that would run a script if it were taken for markup.
      const hostile = "</script><img src=x onerror=alert(1)>";
      const keep = new Set(["name", "kind", "column", "columns", "format"]);
      const spoil = (value, key) => {
        if (typeof value === "string") return keep.has(key) ? value : hostile;
        if (Array.isArray(value)) return value.map((entry) => spoil(entry, key));
        if (value === null || typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([inner, entry]) => [inner, spoil(entry, inner)]));
      };
      const element = /(<script type="application\/json" id="[a-z-]+">)(.*?)(<\/script>)/gs;
      const folder = mkdtempSync(join(tmpdir(), "touchdown-"));
      try {
        const text = readFileSync(fileOf(name), "utf8").replace(element, (_, open, json, close) => {
          return open + JSON.stringify(spoil(JSON.parse(json))).replaceAll("<", "\\u003c") + close;
        });
        writeFileSync(join(folder, "report.html"), text);
        const { page, context, problems } = await open(name, {}, join(folder, "report.html"));
        await page.locator(".u-over").last().hover();
        await drawn(page);
        assert.equal(await page.locator(".legend button span").first().innerText(), hostile);
        assert.equal(await page.locator("img").count(), 0);
        assert.deepEqual(problems, []);
        await context.close();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
