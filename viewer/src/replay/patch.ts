// The history of one patch of soil: every state it had, whole, so that seeking to any time is a binary search.
import { countUpTo } from "./growing";

/** Metres that one unit of a recorded change of height stands for. */
export const CHANGE_UNIT_M = 1e-4;

export class Patch {
  /** Frames at which it changed, ascending. */
  readonly frames: number[] = [];
  /** Change of height after each of these frames, in units of `CHANGE_UNIT_M`. */
  readonly changes: Int16Array[] = [];
  private running: Int16Array;

  constructor(
    readonly i0: number,
    readonly j0: number,
    readonly nx: number,
    readonly ny: number,
    /** Heights before anything touched them, m; not a number where there is no ground. */
    public undisturbed: Float32Array,
  ) {
    this.running = new Int16Array(nx * ny);
  }

  /** The patch starts again: its next differences are from zero. What it was before stays in its history. */
  restart(undisturbed: Float32Array): void {
    this.undisturbed = undisturbed;
    this.running = new Int16Array(this.nx * this.ny);
  }

  /** Adds the state after `frame` from differences, which wrap round at 16 bits. */
  add(frame: number, differences: Int16Array): void {
    const next = new Int16Array(differences.length);
    const last = this.running;
    for (let k = 0; k < next.length; k++) next[k] = last[k] + differences[k];
    this.running = next;
    this.frames.push(frame);
    this.changes.push(next);
  }

  /** Which state holds at `frame`; -1 while it is as undisturbed. */
  stateAt(frame: number): number {
    return countUpTo(this.frames, this.frames.length, frame) - 1;
  }
}
