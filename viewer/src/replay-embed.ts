// The replay inside a report: the same player, from data that the page carries.
import type { Handle } from "./handle";
import { Player } from "./player";
import { Frames } from "./replay/decode";
import { readScene, type Figures } from "./replay/format";
import { FigureSeries } from "./replay/series";

/**
 * Builds the replay inside `element`. `sceneJson` is the text or the value of the scene, `framesBytes` the frames after gunzip. Throws
 * where the scene cannot be read or the browser offers no WebGL; `element` may then hold parts of it.
 */
export function mountReplay(element: HTMLElement, sceneJson: unknown, framesBytes: Uint8Array, figures: Figures): Handle {
  const begin = performance.now();
  const scene = readScene(typeof sceneJson === "string" ? JSON.parse(sceneJson) : sceneJson);
  const frames = new Frames(scene.bodies.length, scene.contacts.length);
  frames.append(framesBytes);
  const drawn = figures.figures.filter((figure) => figure.x.time);
  const shown = {
    ...scene,
    phases: scene.phases.length > 0 ? scene.phases : figures.phases,
    figures: drawn.map((figure) => ({ title: figure.title, columns: figure.y.lines.map((line) => line.column) })),
  };
  const player = new Player(element, shown, frames, new FigureSeries(drawn), { embedded: true });
  player.loadMs = performance.now() - begin;
  // The end shows more than the beginning: what the run left behind. Play starts over from there.
  player.seek(frames.end);
  return player.handle();
}

/** Bytes from base64 text that was compressed by gzip. */
export async function gunzipBase64(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
