// Script of the 3-D page: loads the run that the program serves, and goes on asking while it is in progress.
import "./handle";
import { offerBeside } from "./beside";
import { Player } from "./player";
import { Frames } from "./replay/decode";
import { readScene } from "./replay/format";
import { ServedSeries } from "./replay/series";
import { Server, type Extent } from "./replay/source";
import { element } from "./ui/dom";
import "./view.css";

const ASK_EVERY_MS = 300;
/** Scales and the plot of a run in progress follow less often than its frames. */
const REFRESH_EVERY_MS = 1500;

/** Reads frames until all that `wanted` promises are there or nothing new comes. Returns the time that decoding took, ms. */
async function loadFrames(server: Server, frames: Frames, wanted: number, progress: (count: number) => void): Promise<number> {
  let spent = 0;
  while (frames.count < wanted && frames.damage === null) {
    const bytes = await server.frames(frames.count);
    const begin = performance.now();
    const read = frames.append(bytes);
    spent += performance.now() - begin;
    if (read === 0) break;
    progress(frames.count);
  }
  return spent;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** How much there is, as soon as there is a frame or none will come: sizes are taken from the first. */
async function firstExtent(server: Server, status: HTMLElement): Promise<Extent> {
  for (;;) {
    const extent = await server.extent();
    if (extent.frames > 0 || !extent.live) return extent;
    status.textContent = "Waiting for the run's first frame…";
    await pause(ASK_EVERY_MS);
  }
}

async function start(host: HTMLElement): Promise<void> {
  const status = element("p", { class: "td-loading", role: "status" }, "Loading the run…");
  host.append(status);
  const server = new Server();
  const scene = readScene(await server.scene());
  document.title = `${scene.title || scene.scenario} – touchdown`;
  const extent = await firstExtent(server, status);
  const frames = new Frames(scene.bodies.length, scene.contacts.length);
  const decoding = await loadFrames(server, frames, extent.frames, (count) => {
    status.textContent = `Loading frame ${count} of ${extent.frames}…`;
  });
  const begin = performance.now();
  status.remove();
  const player = new Player(host, scene, frames, new ServedSeries(server, scene.columns), { embedded: false, beside: offerBeside });
  player.loadMs = decoding + performance.now() - begin;
  if (frames.count < extent.frames && frames.damage === null) player.note(`${extent.frames - frames.count} of ${extent.frames} frames are missing at the end`);
  if (frames.count === 0 && scene.notes.length === 0) player.note("there are no frames to show");
  window.touchdown = player.handle();
  if (extent.live) void follow(server, frames, player);
}

/** Asks for more until the run has ended. A question that fails is asked again: the program may be busy. */
async function follow(server: Server, frames: Frames, player: Player): Promise<void> {
  player.extend(true);
  let refreshed = 0;
  let failures = 0;
  for (;;) {
    await pause(ASK_EVERY_MS);
    try {
      const extent = await server.extent();
      const before = frames.count;
      await loadFrames(server, frames, extent.frames, () => {});
      if (frames.count > before || !extent.live) player.extend(extent.live);
      if (performance.now() - refreshed > REFRESH_EVERY_MS || !extent.live) {
        refreshed = performance.now();
        player.rescale();
        await player.refreshPlot();
      }
      if (!extent.live) return;
      failures = 0;
    } catch {
      failures += 1;
      if (failures < 10) continue;
      player.extend(false);
      player.note("the program no longer answers; what it sent so far is shown");
      return;
    }
  }
}

const host = document.getElementById("view");
if (host !== null) {
  start(host).catch((error: unknown) => {
    host.replaceChildren(element("p", { class: "td-loading", role: "alert" }, `The run cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  });
}
