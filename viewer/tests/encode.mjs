// Writes frames as FORMAT.md says. The tests' own encoder: the decoder is checked against it, and made-up runs are written with it.

/** Encodes frames one after the other; remembers each patch, for patches are written as differences from their last state. */
export class Encoder {
  constructor() {
    this.last = new Map();
  }

  /**
   * One record. `frame`: { time, poses: number[7][], contacts: number[6][], patches: { i0, j0, nx, ny, undisturbed, change }[] (change in
   * units of 0.1 mm), pressures: { i, j, full, nodes: [i, j, pressure][] }[], deformations: number[][] (x, y, z of each corner) }. A patch with `again` is told as if it were the first time.
   */
  record(frame) {
    const bytes = new Bytes();
    bytes.f64(frame.time);
    for (const pose of frame.poses) for (const value of pose) bytes.f32(value);
    for (const contact of frame.contacts) for (const value of contact) bytes.f32(value);
    bytes.u16(frame.patches.length);
    for (const patch of frame.patches) this.patch(bytes, patch);
    bytes.u16(frame.pressures.length);
    for (const { i, j, full, nodes } of frame.pressures) {
      bytes.u32(nodes.length);
      bytes.i32(i);
      bytes.i32(j);
      bytes.f32(full);
      for (const [a, b, pressure] of nodes) {
        bytes.i16(a - i);
        bytes.i16(b - j);
        bytes.u16(full > 0 ? Math.round((65535 * pressure) / full) : 0);
      }
    }
    bytes.u16(frame.deformations?.length ?? 0);
    for (const corners of frame.deformations ?? []) {
      const full = Math.max(0, ...corners.map(Math.abs));
      bytes.u32(corners.length / 3);
      bytes.f32(full);
      for (const value of corners) bytes.i16(full > 0 ? Math.round((32767 * value) / full) : 0);
    }
    return bytes.framed();
  }

  patch(bytes, { i0, j0, nx, ny, undisturbed, change, again }) {
    const key = `${i0},${j0}`;
    const first = again || !this.last.has(key);
    const last = first ? new Int16Array(nx * ny) : this.last.get(key);
    bytes.i32(i0);
    bytes.i32(j0);
    bytes.u16(nx);
    bytes.u16(ny);
    bytes.u8(first ? 1 : 0);
    if (first) for (const value of undisturbed) bytes.f32(value);
    for (let k = 0; k < nx * ny; k++) bytes.i16(change[k] - last[k]);
    this.last.set(key, Int16Array.from(change));
  }
}

class Bytes {
  constructor() {
    this.data = new DataView(new ArrayBuffer(1 << 16));
    this.length = 4;
  }

  take(size) {
    while (this.length + size > this.data.byteLength) {
      const larger = new ArrayBuffer(2 * this.data.byteLength);
      new Uint8Array(larger).set(new Uint8Array(this.data.buffer));
      this.data = new DataView(larger);
    }
    this.length += size;
    return this.length - size;
  }

  put(size, write) {
    const at = this.take(size);
    write(this.data, at);
  }

  f64(value) { this.put(8, (view, at) => view.setFloat64(at, value, true)); }
  f32(value) { this.put(4, (view, at) => view.setFloat32(at, value, true)); }
  u32(value) { this.put(4, (view, at) => view.setUint32(at, value, true)); }
  i32(value) { this.put(4, (view, at) => view.setInt32(at, value, true)); }
  u16(value) { this.put(2, (view, at) => view.setUint16(at, value, true)); }
  i16(value) { this.put(2, (view, at) => view.setInt16(at, value, true)); }
  u8(value) { this.put(1, (view, at) => view.setUint8(at, value)); }

  framed() {
    this.data.setUint32(0, this.length - 4, true);
    return new Uint8Array(this.data.buffer, 0, this.length);
  }
}

export function join(chunks) {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
