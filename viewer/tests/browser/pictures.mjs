// Takes the documentation's pictures of a report and of the 3-D page. Usage: node pictures.mjs RUN-FOLDER VIEW-URL IMAGES-FOLDER
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, open, seek } from "./browser.mjs";

const [run, url, images] = process.argv.slice(2);
const browser = await launch();

const report = await open(browser, pathToFileURL(resolve(run, "report.html")).href, { viewport: { width: 1100, height: 1180 } });
await seek(report.page, 60);
await report.page.screenshot({ path: join(images, "report.png") });

const view = await open(browser, url, { viewport: { width: 1100, height: 720 } });
await seek(view.page, 60);
await view.page.screenshot({ path: join(images, "view.png") });

await browser.close();
