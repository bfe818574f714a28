// Where a run's data comes from when the page is served by the program (FORMAT.md, "Served by").

export interface Extent {
  frames: number;
  rows: number;
  live: boolean;
}

async function ask(address: string): Promise<Response> {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${address.split("?")[0]} answered ${answer.status} ${answer.statusText}`);
  return answer;
}

/** Asks the server that the page came from. Addresses are relative: the page's own holds the token that the server asks for. */
export class Server {
  async scene(): Promise<unknown> {
    return (await ask("api/scene")).json();
  }

  async extent(): Promise<Extent> {
    return (await (await ask("api/extent")).json()) as Extent;
  }

  async frames(from: number): Promise<Uint8Array> {
    return new Uint8Array(await (await ask(`api/frames?from=${from}`)).arrayBuffer());
  }

  /** Values of each column from row `from` on, all of the same length. */
  async series(columns: string[], from: number): Promise<Float64Array[]> {
    const query = columns.map((name) => `column=${encodeURIComponent(name)}`).join("&");
    const bytes = await (await ask(`api/series?${query}&from=${from}`)).arrayBuffer();
    const length = Math.floor(bytes.byteLength / 8 / columns.length);
    return columns.map((_, k) => new Float64Array(bytes, 8 * k * length, length));
  }
}
