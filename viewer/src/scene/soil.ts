// The soil that deforms: all patches in one mesh. A patch is written again only when its state changes, and only its part of the buffer
// goes to the graphics card; nothing is allocated while playing.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, Mesh } from "three";
import type { Frames } from "../replay/decode";
import { CHANGE_UNIT_M, type Patch } from "../replay/patch";
import type { Place } from "../replay/timeline";
import type { GroundLook } from "./groundMaterial";

// A vertex: position (3), normal (3, any length), change of height (1), how much of a hollow it lies in (1).
const STRIDE = 8;
/** A hollow is judged against the soil this far around, m. */
const HOLLOW_REACH_M = 0.03;
const NEVER = -2;

interface Shown {
  patch: Patch;
  /** First node in the buffer. */
  offset: number;
  /** State that is drawn, and how far it has moved to the next. */
  state: number;
  fraction: number;
  /** Heights that are drawn; not a number where there is no ground. */
  heights: Float32Array;
  /** Left, right, below, above. */
  neighbours: (Shown | null)[];
  normalsStale: boolean;
}

export class Soil {
  readonly mesh: Mesh;
  private shown: Shown[] = [];
  private byTile = new Map<number, Shown>();
  private pitch = 32;
  private phaseI = 0;
  private phaseJ = 0;
  private replaced = 0;
  /** The same in nodes. */
  private readonly reach: number;
  private buffer = new InterleavedBuffer(new Float32Array(0), STRIDE);
  private data = new Float32Array(0);

  constructor(private readonly frames: Frames, readonly spacing: number, private readonly look: GroundLook) {
    this.mesh = new Mesh(new BufferGeometry(), look.material("soil"));
    this.mesh.frustumCulled = false;
    // Ruts are darkened by `hollow`: drawing all soil again for its shadows would cost as much again in every frame.
    this.mesh.receiveShadow = true;
    this.reach = Math.min(Math.max(Math.round(HOLLOW_REACH_M / spacing), 1), 12);
    this.rebuild();
  }

  /** Takes in patches that appeared since. */
  extend(): void {
    if (this.frames.patches.length !== this.shown.length || this.frames.replaced !== this.replaced) this.rebuild();
    else for (const shown of this.shown) shown.state = NEVER;
  }

  private tileOf(i: number, j: number): number {
    const a = Math.floor((i - this.phaseI) / this.pitch) + 0x100000;
    const b = Math.floor((j - this.phaseJ) / this.pitch) + 0x100000;
    return a * 0x200000 + b;
  }

  private rebuild(): void {
    const patches = this.frames.patches;
    this.replaced = this.frames.replaced;
    if (patches.length > 0) {
      const first = patches[0];
      this.pitch = first.nx - 1;
      this.phaseI = first.i0 - this.pitch * Math.floor(first.i0 / this.pitch);
      this.phaseJ = first.j0 - this.pitch * Math.floor(first.j0 / this.pitch);
    }
    let nodes = 0;
    this.shown = patches.map((patch) => {
      const offset = nodes;
      nodes += patch.nx * patch.ny;
      const heights = new Float32Array(patch.nx * patch.ny);
      return { patch, offset, state: NEVER, fraction: 0, heights, neighbours: [], normalsStale: true };
    });
    this.byTile = new Map(this.shown.map((shown) => [this.tileOf(shown.patch.i0, shown.patch.j0), shown]));
    for (const shown of this.shown) {
      const { i0, j0 } = shown.patch;
      shown.neighbours = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([a, b]) => {
        const other = this.byTile.get(this.tileOf(i0 + a * this.pitch, j0 + b * this.pitch));
        return other !== undefined && other.patch.nx === shown.patch.nx && other.patch.ny === shown.patch.ny ? other : null;
      });
    }
    this.allocate(nodes);
    this.cover();
  }

  private allocate(nodes: number): void {
    this.data = new Float32Array(STRIDE * nodes);
    for (const { patch, offset } of this.shown) {
      for (let k = 0; k < patch.nx * patch.ny; k++) {
        this.data[STRIDE * (offset + k)] = (patch.i0 + (k % patch.nx)) * this.spacing;
        this.data[STRIDE * (offset + k) + 1] = (patch.j0 + Math.floor(k / patch.nx)) * this.spacing;
      }
    }
    this.buffer = new InterleavedBuffer(this.data, STRIDE);
    this.buffer.setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new InterleavedBufferAttribute(this.buffer, 3, 0));
    geometry.setAttribute("normal", new InterleavedBufferAttribute(this.buffer, 3, 3));
    geometry.setAttribute("change", new InterleavedBufferAttribute(this.buffer, 1, 6));
    geometry.setAttribute("hollow", new InterleavedBufferAttribute(this.buffer, 1, 7));
    geometry.setIndex(new BufferAttribute(this.triangles(), 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = nodes > 0;
  }

  private triangles(): Uint32Array {
    let cells = 0;
    for (const { patch } of this.shown) cells += (patch.nx - 1) * (patch.ny - 1);
    const index = new Uint32Array(6 * cells);
    let at = 0;
    for (const { patch, offset } of this.shown) {
      const { nx, ny, undisturbed: z } = patch;
      for (let j = 0; j + 1 < ny; j++) {
        for (let i = 0; i + 1 < nx; i++) {
          const k = j * nx + i;
          // A sum with a missing height is not a number.
          if (Number.isNaN(z[k] + z[k + 1] + z[k + nx] + z[k + nx + 1])) continue;
          const v = offset + k;
          index[at++] = v;
          index[at++] = v + 1;
          index[at++] = v + nx + 1;
          index[at++] = v;
          index[at++] = v + nx + 1;
          index[at++] = v + nx;
        }
      }
    }
    return index.subarray(0, at);
  }

  /** Tells the relief where patches lie. */
  private cover(): void {
    if (this.shown.length === 0) return;
    const tiles = this.shown.map(({ patch }) => [
      Math.floor((patch.i0 - this.phaseI) / this.pitch),
      Math.floor((patch.j0 - this.phaseJ) / this.pitch),
    ]);
    const low = [0, 1].map((c) => tiles.reduce((least, tile) => Math.min(least, tile[c]), Infinity));
    const high = [0, 1].map((c) => tiles.reduce((most, tile) => Math.max(most, tile[c]), -Infinity));
    const nx = high[0] - low[0] + 1;
    const ny = high[1] - low[1] + 1;
    const covered = new Uint8Array(nx * ny);
    for (const [a, b] of tiles) covered[(b - low[1]) * nx + a - low[0]] = 255;
    const origin: [number, number] = [
      (low[0] * this.pitch + this.phaseI) * this.spacing,
      (low[1] * this.pitch + this.phaseJ) * this.spacing,
    ];
    this.look.setMask(origin, this.pitch * this.spacing, nx, ny, covered);
  }

  /** Draws the soil as it is at a place between two frames. Returns how many patches had to be written. */
  update(place: Place): number {
    let written = 0;
    for (const shown of this.shown) {
      const { patch } = shown;
      const state = patch.stateAt(place.index);
      const fraction = patch.frames[state + 1] === place.index + 1 ? place.fraction : 0;
      if (shown.state === state && shown.fraction === fraction) continue;
      this.writeHeights(shown, state, fraction);
      shown.normalsStale = true;
      // Normals along an edge follow the heights on its other side.
      for (const other of shown.neighbours) if (other !== null) other.normalsStale = true;
      written += 1;
    }
    if (written === 0) return 0;
    this.buffer.clearUpdateRanges();
    for (const shown of this.shown) {
      if (!shown.normalsStale) continue;
      this.writeNormals(shown);
      shown.normalsStale = false;
      this.buffer.addUpdateRange(STRIDE * shown.offset, STRIDE * shown.heights.length);
    }
    this.buffer.needsUpdate = true;
    return written;
  }

  private writeHeights(shown: Shown, state: number, fraction: number): void {
    const { patch, heights, offset } = shown;
    const { data } = this;
    const undisturbed = patch.undisturbed;
    const from = state >= 0 ? patch.changes[state] : null;
    const to = fraction > 0 ? patch.changes[state + 1] : null;
    for (let k = 0, at = STRIDE * offset; k < heights.length; k++, at += STRIDE) {
      const a = from === null ? 0 : from[k];
      const change = CHANGE_UNIT_M * (to === null ? a : a + fraction * (to[k] - a));
      const z = undisturbed[k] + change;
      heights[k] = z;
      data[at + 2] = z === z ? z : 0;
      data[at + 6] = change;
    }
    shown.state = state;
    shown.fraction = fraction;
  }

  private writeNormals(shown: Shown): void {
    const { heights, offset, neighbours } = shown;
    const { nx, ny } = shown.patch;
    const { data } = this;
    const [left, right, below, above] = neighbours;
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const k = j * nx + i;
        const z = heights[k];
        // Beyond an edge lie the neighbour's nodes, of which the first is shared; without neighbour the slope is flat there.
        let w = i > 0 ? heights[k - 1] : left !== null ? left.heights[k + nx - 2] : z;
        let e = i + 1 < nx ? heights[k + 1] : right !== null ? right.heights[k - nx + 2] : z;
        let s = j > 0 ? heights[k - nx] : below !== null ? below.heights[(ny - 2) * nx + i] : z;
        let n = j + 1 < ny ? heights[k + nx] : above !== null ? above.heights[nx + i] : z;
        if (w !== w) w = z;
        if (e !== e) e = z;
        if (s !== s) s = z;
        if (n !== n) n = z;
        const at = STRIDE * (offset + k) + 3;
        data[at] = w - e;
        data[at + 1] = s - n;
        data[at + 2] = 2 * this.spacing;
        data[at + 4] = this.hollow(shown, i, j, z);
      }
    }
  }

  /** From 0 in the open to 1 deep in a hollow: how steeply the soil around rises over a node. */
  private hollow(shown: Shown, i: number, j: number, z: number): number {
    const heights = shown.heights;
    const { nx, ny } = shown.patch;
    const r = this.reach;
    const k = j * nx + i;
    const [left, right, below, above] = shown.neighbours;
    const west = i >= r ? heights[k - r] : left !== null ? left.heights[k - r + nx - 1] : z;
    const east = i + r < nx ? heights[k + r] : right !== null ? right.heights[k + r - nx + 1] : z;
    const south = j >= r ? heights[k - r * nx] : below !== null ? below.heights[k + (ny - 1 - r) * nx] : z;
    const north = j + r < ny ? heights[k + r * nx] : above !== null ? above.heights[k - (ny - 1 - r) * nx] : z;
    return Math.min((rise(west, z) + rise(east, z) + rise(south, z) + rise(north, z)) / (2 * r * this.spacing), 1);
  }

  /** Height that is drawn at a node, m; not a number where no patch lies. */
  heightAt(i: number, j: number): number {
    const shown = this.byTile.get(this.tileOf(i, j));
    if (shown === undefined) return NaN;
    const { patch, heights } = shown;
    const a = i - patch.i0;
    const b = j - patch.j0;
    return a < patch.nx && b < patch.ny ? heights[b * patch.nx + a] : NaN;
  }

  /** Change of height that all but a hundredth of the disturbed nodes stay below at the last known frame, m. */
  typicalChange(): number {
    const sizes: number[] = [];
    for (const { patch } of this.shown) {
      const last = patch.changes[patch.changes.length - 1];
      if (last === undefined) continue;
      for (let k = 0; k < last.length; k += 3) if (Math.abs(last[k]) > 5) sizes.push(Math.abs(last[k]));
    }
    if (sizes.length === 0) return 0;
    sizes.sort((a, b) => a - b);
    return CHANGE_UNIT_M * sizes[Math.floor(0.99 * (sizes.length - 1))];
  }
}

/** How far `over` lies above `z`, m; nothing below it or where there is no soil. */
function rise(over: number, z: number): number {
  return over > z ? over - z : 0;
}
