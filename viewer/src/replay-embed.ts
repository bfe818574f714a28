// The replay inside a report: the same player, from data that the page carries.
import { offerBeside } from "./beside";
import type { Handle } from "./handle";
import { Player } from "./player";
import { Frames } from "./replay/decode";
import { readScene, type Figures, type Scene } from "./replay/format";
import { FigureSeries } from "./replay/series";
import { breathe } from "./pace";

/** Frames are read and letters unpacked in pieces of so many bytes. Four letters hold three bytes. */
const PIECE_BYTES = 1 << 18;
const PIECE_LETTERS = 1 << 18;

export interface Loaded {
  scene: Scene;
  frames: Frames;
  series: FigureSeries;
}

/** Reads what a report carries, with breaks: `sceneJson` is the text or the value of the scene, `bytes` the frames after gunzip. */
async function load(sceneJson: unknown, bytes: Uint8Array, figures: Figures): Promise<Loaded> {
  const scene = readScene(typeof sceneJson === "string" ? JSON.parse(sceneJson) : sceneJson);
  const frames = new Frames(scene.bodies.length, scene.contacts.length);
  await breathe();
  for (let at = 0; ; ) {
    const read = frames.appendSome(bytes, at, PIECE_BYTES);
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
  return { scene: shown, frames, series: new FigureSeries(drawn) };
}

/** The same from the texts of a report's elements. */
export async function loadEmbedded(scene: string, packed: string, figures: string): Promise<Loaded> {
  const given = figures === "" ? { figures: [], phases: [] } : (JSON.parse(figures) as Figures);
  return load(scene, await gunzipBase64(packed), given);
}

/**
 * Builds the replay inside `element`. Throws where the scene cannot be read or the browser offers no WebGL; `element` may then hold parts
 * of it.
 */
export async function mountReplay(element: HTMLElement, sceneJson: unknown, framesBytes: Uint8Array, figures: Figures): Promise<Handle> {
  const begin = performance.now();
  const { scene, frames, series } = await load(sceneJson, framesBytes, figures);
  const player = new Player(element, scene, frames, series, { embedded: true, beside: offerBeside });
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
