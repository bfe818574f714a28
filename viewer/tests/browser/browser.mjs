// A browser for the tests: Debian's Chromium, drawing in software.
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** A page at `url` with the replay loaded; `problems` gathers console errors, uncaught errors and failed requests. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.goto(url);
  await page.waitForFunction(() => window.touchdown !== undefined, null, { timeout: 60_000 });
  await drawn(page);
  return { page, context, problems };
}

/** Waits until what was asked for is drawn. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
}

export const state = (page) => page.evaluate(() => window.touchdown.state());
export const seek = async (page, time) => {
  await page.evaluate((t) => window.touchdown.seek(t), time);
  await drawn(page);
};
