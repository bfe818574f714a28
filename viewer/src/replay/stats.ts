// How long the page's script takes for each frame that is played.

const KEPT = 2048;

export interface FrameStats {
  /** Played frames that count. */
  frames: number;
  p50ScriptMs: number;
  /** Script that prepares a frame: clock, poses, soil, pressure, arrows, read-outs. */
  p95ScriptMs: number;
  /** The call that draws: script of the library, and waiting where the driver draws in software. */
  p95RenderMs: number;
  p95TotalMs: number;
}

export class FrameClock {
  private readonly script = new Float32Array(KEPT);
  private readonly render = new Float32Array(KEPT);
  private count = 0;

  add(scriptMs: number, renderMs: number): void {
    this.script[this.count % KEPT] = scriptMs;
    this.render[this.count % KEPT] = renderMs;
    this.count += 1;
  }

  reset(): void {
    this.count = 0;
  }

  stats(): FrameStats {
    const kept = Math.min(this.count, KEPT);
    const script = this.script.slice(0, kept);
    const render = this.render.slice(0, kept);
    const total = script.map((ms, k) => ms + render[k]);
    return {
      frames: this.count,
      p50ScriptMs: quantile(script, 0.5),
      p95ScriptMs: quantile(script, 0.95),
      p95RenderMs: quantile(render, 0.95),
      p95TotalMs: quantile(total, 0.95),
    };
  }
}

/** Smallest value that at least a part `q` of the values do not exceed; 0 of none. */
export function quantile(values: Float32Array, q: number): number {
  if (values.length === 0) return 0;
  const sorted = values.slice().sort();
  return sorted[Math.min(Math.max(Math.ceil(q * sorted.length) - 1, 0), sorted.length - 1)];
}
