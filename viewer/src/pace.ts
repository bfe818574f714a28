// Long work in short pieces: between them the browser may answer the user and draw.

/** Work of one piece, ms. Tasks above 50 ms are felt. */
const PIECE_MS = 30;

let pieceBegan = -Infinity;

/** A task of its own for what follows. */
function nextTask(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}

/** To be awaited between two steps of long work: lets the browser breathe when a piece has lasted long enough. */
export async function breathe(): Promise<void> {
  if (performance.now() - pieceBegan < PIECE_MS) return;
  await nextTask();
  pieceBegan = performance.now();
}
