// The nearest of many points, by a k-d tree: some dozens of distances for a question, however many points there are.

/** Distances that all trees have computed so far: what a test can count, where a clock would only measure how busy the machine is. */
export const work = { distances: 0 };

export class Nearest {
  /** Points in the order of the tree: the middle of a range splits it, along x, y, z in turn. */
  private readonly order: Uint32Array;
  private best = -1;
  private distance2 = 0;

  /** `points` are flat, three by three. */
  constructor(private readonly points: ArrayLike<number>) {
    this.order = Uint32Array.from({ length: Math.floor(points.length / 3) }, (_, k) => k);
    this.split(0, this.order.length, 0);
  }

  private split(from: number, to: number, axis: number): void {
    if (to - from < 2) return;
    const { points } = this;
    const part = this.order.subarray(from, to).sort((a, b) => points[3 * a + axis] - points[3 * b + axis]);
    const middle = part.length >> 1;
    this.split(from, from + middle, (axis + 1) % 3);
    this.split(from + middle + 1, to, (axis + 1) % 3);
  }

  /** Number of the nearest point closer than `reach`, or -1. */
  find(x: number, y: number, z: number, reach: number): number {
    this.best = -1;
    this.distance2 = reach * reach;
    this.search(0, this.order.length, 0, x, y, z);
    return this.best;
  }

  /** Distance of the point that was found last. */
  get found(): number {
    return Math.sqrt(this.distance2);
  }

  private search(from: number, to: number, axis: number, x: number, y: number, z: number): void {
    if (to <= from) return;
    const middle = from + ((to - from) >> 1);
    const k = this.order[middle];
    const [dx, dy, dz] = [x - this.points[3 * k], y - this.points[3 * k + 1], z - this.points[3 * k + 2]];
    const distance2 = dx * dx + dy * dy + dz * dz;
    work.distances += 1;
    if (distance2 < this.distance2) {
      this.distance2 = distance2;
      this.best = k;
    }
    const beyond = axis === 0 ? dx : axis === 1 ? dy : dz;
    const next = axis === 2 ? 0 : axis + 1;
    if (beyond < 0) this.search(from, middle, next, x, y, z);
    else this.search(middle + 1, to, next, x, y, z);
    if (beyond * beyond >= this.distance2) return;
    if (beyond < 0) this.search(middle + 1, to, next, x, y, z);
    else this.search(from, middle, next, x, y, z);
  }
}
