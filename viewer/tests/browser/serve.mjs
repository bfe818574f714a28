// Serves the page and a made-up run, as `touchdown view` does (FORMAT.md). With TOUCHDOWN_VIEW_URL the tests look at that server instead.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join as joinPath } from "node:path";
import { join } from "../encode.mjs";

const DIST = joinPath(import.meta.dirname, "../../dist");
const FILES = { "/": ["view.html", "text/html"], "/view.js": ["view.js", "text/javascript"], "/view.css": ["view.css", "text/css"] };
/** As in the program: the page may load nothing from elsewhere. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** As in the program: not everything at once. */
const MOST_BYTES = 1 << 20;

/** Address of a real server to test, if there is one. */
export const realServer = process.env.TOUCHDOWN_VIEW_URL ?? null;

/** Serves `run` on a free port: { url, grow, close }. With `live` only the first frames are there until `grow(frames, live)` says otherwise. */
export async function serve(run, { frames = run.frames.length, live = false } = {}) {
  const state = { frames, live };
  const rows = () => Math.floor((run.rows * state.frames) / run.frames.length);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const send = (type, body) => response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body);
    const file = FILES[url.pathname];
    if (file !== undefined) return send(file[1], await readFile(joinPath(DIST, file[0])));
    const from = Number(url.searchParams.get("from") ?? 0);
    if (url.pathname === "/api/scene") return send("application/json", JSON.stringify(run.scene));
    if (url.pathname === "/api/extent") return send("application/json", JSON.stringify({ frames: state.frames, rows: rows(), live: state.live }));
    if (url.pathname === "/api/frames") return send("application/octet-stream", some(run.frames.slice(from, state.frames)));
    if (url.pathname === "/api/series") {
      const columns = url.searchParams.getAll("column").map((name) => (run.series.get(name) ?? new Float64Array(run.rows).fill(NaN)).slice(from, rows()));
      return send("application/octet-stream", Buffer.concat(columns.map((column) => Buffer.from(column.buffer))));
    }
    response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    grow: (count, goesOn) => Object.assign(state, { frames: count, live: goesOn }),
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}

function some(frames) {
  let bytes = 0;
  const taken = frames.findIndex((frame) => (bytes += frame.length) > MOST_BYTES);
  return join(taken < 0 ? frames : frames.slice(0, taken + 1));
}
