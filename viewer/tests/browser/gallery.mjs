// Takes pictures of pages and of their scenes for the documentation. Usage: node gallery.mjs IMAGES-FOLDER NAME|FILE|SELECTOR|TIME|WIDTH|HEIGHT …
// SELECTOR: what of the page is taken, all of the window where it is empty; TIME: of the replay, s, none where there is none.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, launch, seek } from "./browser.mjs";

const [images, ...shots] = process.argv.slice(2);
const browser = await launch();
for (const shot of shots) {
  const [name, file, selector, time, width, height] = shot.split("|");
  const context = await browser.newContext({ viewport: { width: Number(width || 1000), height: Number(height || 800) } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(resolve(file)).href);
  if (time) {
    await page.waitForFunction(() => window.touchdown !== undefined, null, { timeout: 60_000 });
    await seek(page, Number(time));
  }
  // The tools of a scene are not part of it.
  await page.addStyleTag({ content: ".td-tools { display: none }" });
  await drawn(page);
  const target = selector ? page.locator(selector).first() : page;
  await target.screenshot({ path: join(images, `${name}.jpg`), type: "jpeg", quality: 80 });
  await context.close();
}
await browser.close();
