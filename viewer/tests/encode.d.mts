// Types of encode.mjs, for tests in TypeScript.
export class Encoder {
  record(frame: object): Uint8Array;
}
export function join(chunks: Uint8Array[]): Uint8Array;
