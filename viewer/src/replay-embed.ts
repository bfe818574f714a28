// The replay inside a report: the same player, from data that the page carries.
import type { Handle } from "./handle";
import { Player } from "./player";
import { Frames } from "./replay/decode";
import { readScene, type Figures } from "./replay/format";
import { FigureSeries } from "./replay/series";
import { breathe } from "./pace";

/** Frames are read and letters unpacked in pieces of so many bytes. Four letters hold three bytes. */
const PIECE_BYTES = 1 << 18;
const PIECE_LETTERS = 1 << 18;

/**
 * Builds the replay inside `element`. `sceneJson` is the text or the value of the scene, `framesBytes` the frames after gunzip. Throws
 * where the scene cannot be read or the browser offers no WebGL; `element` may then hold parts of it.
 */
export async function mountReplay(element: HTMLElement, sceneJson: unknown, framesBytes: Uint8Array, figures: Figures): Promise<Handle> {
  const begin = performance.now();
  const scene = readScene(typeof sceneJson === "string" ? JSON.parse(sceneJson) : sceneJson);
  const frames = new Frames(scene.bodies.length, scene.contacts.length);
  await breathe();
  for (let at = 0; ; ) {
    const read = frames.appendSome(framesBytes, at, PIECE_BYTES);
    if (read === at) break;
    at = read;
    await breathe();
  }
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
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const trimmed = text.trim();
  for (let from = 0; from < trimmed.length; from += PIECE_LETTERS) {
    const letters = atob(trimmed.slice(from, from + PIECE_LETTERS));
    const bytes = new Uint8Array(letters.length);
    for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
    pieces.push(bytes);
    await breathe();
  }
  const stream = new Blob(pieces).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
