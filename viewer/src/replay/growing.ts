// Typed arrays that grow by doubling, so that a run in progress can be appended to without copying it every time.

type Numbers = Float32Array | Float64Array;

/** A list of equally long rows of numbers in one typed array. */
export class Rows<T extends Numbers> {
  data: T;
  length = 0;
  private readonly make: (size: number) => T;

  constructor(readonly width: number, make: (size: number) => T, capacity = 256) {
    this.make = make;
    this.data = make(capacity * width);
  }

  /** Makes room for one more row and returns where it begins in `data`. */
  push(): number {
    const at = this.length * this.width;
    if (at + this.width > this.data.length) {
      const larger = this.make(2 * this.data.length + this.width);
      larger.set(this.data);
      this.data = larger;
    }
    this.length += 1;
    return at;
  }
}

/** A column of numbers in one typed array. */
export class Growing {
  private data = new Float64Array(256);
  length = 0;

  append(values: Float64Array): void {
    const length = this.length + values.length;
    if (length > this.data.length) {
      const larger = new Float64Array(Math.max(2 * this.data.length, length));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(values, this.length);
    this.length = length;
  }

  /** The first `length` numbers, not copied. */
  first(length: number): Float64Array {
    return this.data.subarray(0, length);
  }
}

/** Number of entries of the ascending `values` (of which the first `length` count) that are at most `key`. */
export function countUpTo(values: ArrayLike<number>, length: number, key: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
