// Frames from bytes (FORMAT.md, "Frames"). Poses and contacts go into growing tables, soil into the histories of its patches; pressures
// and displacements stay in the bytes and are read when they are drawn.
import { Rows } from "./growing";
import { Patch } from "./patch";

/** Where the pressure nodes of one body in one frame lie. */
export interface PressureSpan {
  view: DataView;
  /** First byte of the nodes in `view`. */
  at: number;
  nodes: number;
  i: number;
  j: number;
  /** Pressure that 65535 stands for, Pa. */
  full: number;
}

/** Where the displacements of one form in one frame lie: three numbers of 16 bits for each corner. */
export interface DeformationSpan {
  view: DataView;
  at: number;
  corners: number;
  /** Length that 32767 stands for, m. */
  full: number;
}

export const POSE = 7;
export const CONTACT = 6;
const PRESSURE_NODE_BYTES = 6;
const CORNER_BYTES = 6;

/** All frames that are known so far. */
export class Frames {
  readonly times = new Rows(1, (size) => new Float64Array(size));
  readonly poses: Rows<Float32Array>;
  readonly contacts: Rows<Float32Array>;
  /** For each frame, for each body in soil. */
  readonly pressures: PressureSpan[][] = [];
  /** For each frame, for each form that changes. */
  readonly deformations: DeformationSpan[][] = [];
  /** In the order in which they appeared. */
  readonly patches: Patch[] = [];
  /** What is wrong with the bytes, in words; nothing is read after that. */
  damage: string | null = null;
  /** Counts replacements of a patch by one of another size, after which what was drawn of it is void. */
  replaced = 0;
  private readonly byFirstNode = new Map<string, number>();

  constructor(bodies: number, contacts: number) {
    this.poses = new Rows(POSE * bodies, (size) => new Float32Array(size));
    this.contacts = new Rows(CONTACT * contacts, (size) => new Float32Array(size));
  }

  get count(): number {
    return this.times.length;
  }

  get end(): number {
    return this.count > 0 ? this.times.data[this.count - 1] : 0;
  }

  get start(): number {
    return this.count > 0 ? this.times.data[0] : 0;
  }

  /** Reads whole records and returns how many; a record that is cut off at the end of the bytes is left out. */
  append(bytes: Uint8Array): number {
    const known = this.count;
    this.appendSome(bytes, 0, Infinity);
    return this.count - known;
  }

  /** Reads whole records from byte `from` on until `most` bytes are read, one record at least. Returns the byte after the last. */
  appendSome(bytes: Uint8Array, from: number, most: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = from;
    while (this.damage === null && at - from < most && at + 4 <= view.byteLength) {
      const end = at + 4 + view.getUint32(at, true);
      if (end > view.byteLength) break;
      const known = this.count;
      try {
        this.record(new Reader(view, at + 4, end), known);
      } catch (error) {
        this.times.length = this.poses.length = this.contacts.length = this.pressures.length = this.deformations.length = known;
        this.damage = `frame ${known} cannot be read (${error instanceof Error ? error.message : String(error)}); the frames after it are left out`;
        break;
      }
      at = end;
    }
    return at;
  }

  private record(from: Reader, frame: number): void {
    const time = from.f64();
    if (!(time >= this.end) && frame > 0) throw new Error("its time is not after that of the frame before");
    this.times.data[this.times.push()] = time;
    from.copyInto(this.poses);
    from.copyInto(this.contacts);
    const patches = from.u16();
    for (let k = 0; k < patches; k++) this.patch(from, frame);
    const spans: PressureSpan[] = [];
    const bodies = from.u16();
    for (let k = 0; k < bodies; k++) spans.push(from.span());
    this.pressures.push(spans);
    const forms: DeformationSpan[] = [];
    const changing = from.u16();
    for (let k = 0; k < changing; k++) forms.push(from.deformation());
    this.deformations.push(forms);
  }

  private patch(from: Reader, frame: number): void {
    const i0 = from.i32();
    const j0 = from.i32();
    const nx = from.u16();
    const ny = from.u16();
    const first = from.u8() === 1;
    if (nx < 2 || ny < 2) throw new Error("a patch of soil without area");
    const undisturbed = first ? from.f32s(nx * ny) : null;
    const differences = from.i16s(nx * ny);
    const key = `${i0},${j0}`;
    let slot = this.byFirstNode.get(key);
    if (slot === undefined) {
      if (undisturbed === null) throw new Error("a patch of soil whose beginning is missing");
      slot = this.patches.length;
      this.byFirstNode.set(key, slot);
      this.patches.push(new Patch(i0, j0, nx, ny, undisturbed));
    } else {
      const known = this.patches[slot];
      const resized = known.nx !== nx || known.ny !== ny;
      if (undisturbed === null && resized) throw new Error("a patch of soil that changed its size");
      if (undisturbed !== null && resized) {
        this.patches[slot] = new Patch(i0, j0, nx, ny, undisturbed);
        this.replaced += 1;
      } else if (undisturbed !== null) {
        known.restart(undisturbed);
      }
    }
    this.patches[slot].add(frame, differences);
  }
}

/** Reads fields one after the other and refuses to leave the record. */
class Reader {
  constructor(private readonly view: DataView, private at: number, private readonly end: number) {}

  private take(bytes: number): number {
    const at = this.at;
    if (at + bytes > this.end) throw new Error("it is shorter than what it announces");
    this.at = at + bytes;
    return at;
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  i32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  // Records are not aligned, so arrays are copied as bytes. The bytes are little-endian like every machine that runs a browser today.
  f32s(length: number): Float32Array {
    const at = this.take(4 * length) + this.view.byteOffset;
    return new Float32Array(this.view.buffer.slice(at, at + 4 * length) as ArrayBuffer);
  }

  i16s(length: number): Int16Array {
    const at = this.take(2 * length) + this.view.byteOffset;
    return new Int16Array(this.view.buffer.slice(at, at + 2 * length) as ArrayBuffer);
  }

  /** One more row of `rows`. */
  copyInto(rows: Rows<Float32Array>): void {
    const from = this.take(4 * rows.width) + this.view.byteOffset;
    const to = rows.push();
    const bytes = new Uint8Array(rows.data.buffer, rows.data.byteOffset + 4 * to, 4 * rows.width);
    bytes.set(new Uint8Array(this.view.buffer, from, 4 * rows.width));
  }

  deformation(): DeformationSpan {
    const corners = this.view.getUint32(this.take(4), true);
    const full = this.view.getFloat32(this.take(4), true);
    return { view: this.view, at: this.take(CORNER_BYTES * corners), corners, full };
  }

  span(): PressureSpan {
    const nodes = this.view.getUint32(this.take(4), true);
    const i = this.i32();
    const j = this.i32();
    const full = this.view.getFloat32(this.take(4), true);
    return { view: this.view, at: this.take(PRESSURE_NODE_BYTES * nodes), nodes, i, j, full };
  }
}
