// Builds the two scripts that the program carries: `report` goes into every report, `view` is the 3-D page. Each becomes one
// script and one style sheet in dist/, without imports, so that a page can hold them inline.
import { cp } from "node:fs/promises";
import { build } from "vite";

for (const [name, emptyOutDir] of [["report", true], ["view", false]]) {
  await build({
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: "dist",
      emptyOutDir,
      cssCodeSplit: false,
      target: "es2022",
      lib: { entry: `src/${name}.ts`, formats: ["iife"], name: "touchdown", fileName: () => `${name}.js`, cssFileName: name },
    },
  });
}
await cp("src/view.html", "dist/view.html");
