// What tests and other scripts may ask of the page: `window.touchdown`.
import type { FrameStats } from "./replay/stats";

export interface PlayerState {
  time: number;
  start: number;
  end: number;
  playing: boolean;
  speed: number;
  frames: number;
  live: boolean;
  /** Whether the end of a run in progress is followed. */
  clinging: boolean;
  bodies: string[];
  picked: string | null;
  following: string | null;
  /** Columns in the plot. */
  plotted: string[];
  /** Reading the frames and building the scene, without network and drawing, ms. */
  loadMs: number;
  /** What the camera looks at, m. */
  target: [number, number, number];
  notes: string[];
}

export interface Handle {
  state(): PlayerState;
  seek(time: number): void;
  play(): void;
  pause(): void;
  speed(factor: number): void;
  frameStats(): FrameStats;
  resetStats(): void;
  /** Where a body is drawn, in pixels of the window. */
  project(body: string): { x: number; y: number } | null;
}

declare global {
  interface Window {
    touchdown?: Handle;
  }
}
