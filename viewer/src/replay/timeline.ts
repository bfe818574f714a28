// The clock of the page: what time is shown, how fast it runs, and whether it clings to the end of a run in progress. No page, no frames.
import { countUpTo } from "./growing";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];

/** Longest wall-clock time that one frame may advance, s: a page that was hidden does not jump. */
const LONGEST_TICK_S = 0.25;

export class Timeline {
  time = 0;
  start = 0;
  end = 0;
  playing = false;
  speed = 1;
  live = false;
  /** Whether the end of a run in progress is followed; scrubbing lets go of it. */
  clinging = false;

  /** More is known. A clinging clock goes to the new end. */
  extend(start: number, end: number, live: boolean): void {
    const first = this.end <= this.start && this.time <= this.start;
    this.start = start;
    this.end = Math.max(start, end);
    this.live = live;
    if (first) this.time = start;
    if (this.clinging) this.time = this.end;
    if (!live) this.clinging = false;
    this.time = this.clamp(this.time);
  }

  /** Follows the end from now on (only while the run goes on). */
  cling(): void {
    this.clinging = this.live;
    this.playing = false;
    if (this.clinging) this.time = this.end;
  }

  seek(time: number): void {
    if (!Number.isFinite(time)) return;
    this.clinging = false;
    this.time = this.clamp(time);
  }

  /** Plays from here, or from the start if the end is shown. */
  play(): void {
    if (this.end <= this.start) return;
    if (this.clinging) return;
    if (this.time >= this.end && !this.live) this.time = this.start;
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
    this.clinging = false;
  }

  /** Advances by `wall` seconds of the clock on the wall. At the end it stops, or clings if the run goes on. */
  tick(wall: number): void {
    if (!this.playing) return;
    this.time = this.clamp(this.time + this.speed * Math.min(Math.max(wall, 0), LONGEST_TICK_S));
    if (this.time < this.end) return;
    if (this.live) this.cling();
    else this.playing = false;
  }

  private clamp(time: number): number {
    return Math.min(Math.max(time, this.start), this.end);
  }
}

/** A place between two frames: `index` and the next, `fraction` of the way. */
export interface Place {
  index: number;
  fraction: number;
}

/** Writes to `into` where `time` lies among the first `count` of the ascending `times`. */
export function locate(times: ArrayLike<number>, count: number, time: number, into: Place): void {
  const index = Math.min(Math.max(countUpTo(times, count, time) - 1, 0), Math.max(count - 1, 0));
  into.index = index;
  into.fraction = 0;
  if (index + 1 >= count) return;
  const step = times[index + 1] - times[index];
  if (step > 0) into.fraction = Math.min(Math.max((time - times[index]) / step, 0), 1);
}
