// Forms that change. Frames tell how far the corners of a form that touches are from their places at rest; whatever is drawn of the same body
// follows them: each of its points moves with the nearest corner, the less the farther away that is. So a wheel's rim and spokes deform
// with its tyre, whatever triangles they are made of.
import { type BufferAttribute, type BufferGeometry, Matrix4, type Mesh, Vector3 } from "three";
import type { DeformationSpan, Frames } from "../replay/decode";
import type { Place } from "../replay/timeline";
import { Nearest } from "./nearest";

/** Points farther from every corner than this part of the form's size stay where they are. */
const REACH = 0.35;
const FULL = 32767;
const UNKNOWN = -2;

/** A form that is drawn, some of whose points follow corners. */
interface Follower {
  geometry: BufferGeometry;
  rest: Float32Array;
  /** Points that move: their numbers, the corners they follow, and how much. */
  points: Uint32Array;
  corners: Uint32Array;
  weights: Float32Array;
  /** From the frame of the corners to that of the points, nine numbers by columns. */
  turn: number[];
}

export class Deforming {
  /** Displacements now, in the form's frame. */
  private readonly now: Float32Array;
  private readonly followers: Follower[] = [];
  private readonly waiting: (() => Follower)[];
  private shown = "";
  private still = true;

  /** `own` is the form that changes, the `index`-th of the frames' deformations, with its corners; `others` are drawn on the same body. */
  constructor(private readonly frames: Frames, private readonly index: number, corners: number[], own: Mesh, others: Mesh[]) {
    this.now = new Float32Array(corners.length);
    const reach = REACH * size(corners);
    const nearest = new Nearest(corners);
    this.waiting = [own, ...others].map((mesh) => () => follower(nearest, own, mesh, reach));
  }

  /** Finds what one more form follows; false when all have been asked. Large forms take some milliseconds each. */
  prepareNext(): boolean {
    const next = this.waiting.shift()?.();
    if (next !== undefined && next.points.length > 0) this.followers.push(next);
    this.shown = "";
    return this.waiting.length > 0;
  }

  /** Puts the points where they are at a place between two frames. */
  update(place: Place): void {
    const key = `${place.index}+${place.fraction}`;
    if (key === this.shown) return;
    this.shown = key;
    const a = this.frames.deformations[place.index]?.[this.index];
    const b = place.fraction > 0 ? this.frames.deformations[place.index + 1]?.[this.index] : undefined;
    this.now.fill(0);
    const moved = [this.add(a, b === undefined ? 1 : 1 - place.fraction), this.add(b, place.fraction)].some((any) => any);
    if (this.followers.length === 0 || (!moved && this.still)) return;
    this.still = !moved;
    for (const found of this.followers) this.move(found);
  }

  private add(span: DeformationSpan | undefined, share: number): boolean {
    if (span === undefined || 3 * span.corners !== this.now.length || !(span.full > 0)) return false;
    const unit = (share * span.full) / FULL;
    for (let k = 0; k < this.now.length; k++) this.now[k] += unit * span.view.getInt16(span.at + 2 * k, true);
    return true;
  }

  private move({ geometry, rest, points, corners, weights, turn }: Follower): void {
    const position = geometry.getAttribute("position") as BufferAttribute;
    const to = position.array as Float32Array;
    for (let k = 0; k < points.length; k++) {
      const [p, c, w] = [3 * points[k], 3 * corners[k], weights[k]];
      const [x, y, z] = [this.now[c], this.now[c + 1], this.now[c + 2]];
      for (let i = 0; i < 3; i++) to[p + i] = rest[p + i] + w * (turn[i] * x + turn[3 + i] * y + turn[6 + i] * z);
    }
    position.needsUpdate = true;
    geometry.computeVertexNormals();
  }
}

function size(corners: number[]): number {
  let most = 0;
  for (let k = 0; k + 2 < corners.length; k += 3) most = Math.max(most, Math.hypot(corners[k], corners[k + 1], corners[k + 2]));
  return most;
}

function follower(corners: Nearest, own: Mesh, mesh: Mesh, reach: number): Follower {
  const rest = Float32Array.from(mesh.geometry.getAttribute("position").array as Float32Array);
  // Both forms are fixed to the same body.
  const toCorners = new Matrix4().copy(own.matrix).invert().multiply(mesh.matrix);
  const count = rest.length / 3;
  const [points, nearest, weights] = [new Uint32Array(count), new Uint32Array(count), new Float32Array(count)];
  // A vertex of several triangles is asked for once.
  const sources = mesh.geometry.userData.sources as ArrayLike<number> | undefined;
  const asked = new Int32Array(count).fill(UNKNOWN);
  const distances = new Float32Array(count);
  const at = new Vector3();
  let followed = 0;
  for (let p = 0; p < count; p++) {
    const source = sources?.[p] ?? p;
    if (asked[source] === UNKNOWN) {
      at.fromArray(rest, 3 * p).applyMatrix4(toCorners);
      asked[source] = corners.find(at.x, at.y, at.z, reach);
      distances[source] = corners.found;
    }
    if (asked[source] < 0) continue;
    points[followed] = p;
    nearest[followed] = asked[source];
    weights[followed] = 1 - distances[source] / reach;
    followed += 1;
  }
  const e = toCorners.invert().elements;
  const turn = [e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10]];
  return { geometry: mesh.geometry, rest, points: points.slice(0, followed), corners: nearest.slice(0, followed), weights: weights.slice(0, followed), turn };
}
