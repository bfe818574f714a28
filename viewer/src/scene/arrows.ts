// Contact forces as thin arrows from the place where they act. What of them lies in a wheel or in the ground shows through faintly.
import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { CONTACT, type Frames } from "../replay/decode";
import type { Place } from "../replay/timeline";
import { BLENDED_EARLY, ORDER } from "./order";
import type { Theme } from "./theme";

/** Thickness of the shaft and size of the head, as parts of the machine's size. */
const SHAFT = 0.003;
const HEAD = 0.0095;
const HEAD_LENGTH = 0.034;
/** The largest usual force is drawn at most this long, as a part of the machine's size: longer arrows would hide it. */
const LONGEST = 0.25;
/** And at least this long, or a wheel would swallow it. */
const SHORTEST = 0.18;
/** Opacity of what lies in a wheel or in the ground. */
const HIDDEN = 0.5;

export class Arrows {
  readonly root = new Group();
  /** Length of an arrow of one newton, m. */
  metresPerNewton = 0;
  /** Thickness compared with that of the whole machine's picture: seen closely, arrows are thin. */
  thickness = 1;
  private factor = 1;
  private readonly material = new MeshBasicMaterial({ fog: false });
  private readonly through = new MeshBasicMaterial({ fog: false, opacity: HIDDEN, ...BLENDED_EARLY });
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly ghosts: InstancedMesh[] = [];
  private readonly up = new Vector3(0, 1, 0);
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(private readonly frames: Frames, private readonly count: number, private readonly reach: number, private readonly suggested: number) {
    this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10, 1, true).translate(0, 0.5, 0), this.material, Math.max(count, 1));
    this.heads = new InstancedMesh(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0), this.material, Math.max(count, 1));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.count = 0;
      const ghost = new InstancedMesh(mesh.geometry, this.through, 0);
      ghost.instanceMatrix = mesh.instanceMatrix;
      ghost.frustumCulled = false;
      ghost.renderOrder = ORDER.arrowsBehind;
      mesh.renderOrder = ORDER.machine;
      this.ghosts.push(ghost);
      this.root.add(mesh, ghost);
    }
    this.rescale();
  }

  use(theme: Theme): void {
    this.material.color.set(theme.arrow);
    this.through.color.set(theme.arrow);
  }

  /** Lengthens all arrows by a factor. */
  setFactor(factor: number): void {
    this.factor = factor;
    this.rescale();
  }

  /** Chooses the scale from the forces that are known. */
  rescale(): void {
    const usual = usualForce(this.frames, this.count);
    const wanted = this.suggested > 0 ? this.suggested * usual : LONGEST * this.reach;
    const length = Math.min(Math.max(wanted, SHORTEST * this.reach), LONGEST * this.reach);
    this.metresPerNewton = this.factor * (usual > 0 ? length / usual : this.suggested);
  }

  update(at: Place): void {
    if (!this.root.visible || this.frames.count === 0) return;
    const { data, width } = this.frames.contacts;
    const a = at.index * width;
    const b = at.fraction > 0 ? a + width : a;
    const mix = (k: number) => data[a + k] + at.fraction * (data[b + k] - data[a + k]);
    let drawn = 0;
    for (let c = 0; c < this.count; c++) {
      const k = CONTACT * c;
      this.along.set(mix(k + 3), mix(k + 4), mix(k + 5));
      const force = this.along.length();
      // A contact that begins or ends within the frame has no sensible point between: take the one that bears.
      const from = dot(data, a + k + 3) === 0 ? b : dot(data, b + k + 3) === 0 ? a : -1;
      if (from < 0) this.place.set(mix(k), mix(k + 1), mix(k + 2));
      else this.place.set(data[from + k], data[from + k + 1], data[from + k + 2]);
      const length = force * this.metresPerNewton;
      const scale = this.thickness * this.reach;
      const head = Math.min(HEAD_LENGTH * scale, 0.6 * length);
      if (!(length > 1e-3 * this.reach)) continue;
      this.turn.setFromUnitVectors(this.up, this.along.divideScalar(force));
      this.size.set(SHAFT * scale, length - head, SHAFT * scale);
      this.shafts.setMatrixAt(drawn, this.matrix.compose(this.place, this.turn, this.size));
      this.place.addScaledVector(this.along, length - head);
      const wide = HEAD * scale * Math.min(1, head / (HEAD_LENGTH * scale));
      this.heads.setMatrixAt(drawn, this.matrix.compose(this.place, this.turn, this.size.set(wide, head, wide)));
      drawn += 1;
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = drawn;
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const ghost of this.ghosts) ghost.count = drawn;
  }
}

const dot = (data: Float32Array, k: number): number => data[k] ** 2 + data[k + 1] ** 2 + data[k + 2] ** 2;

/** Force that all but a fiftieth of the contacts stay below, N. */
function usualForce(frames: Frames, count: number): number {
  const { data, width, length } = frames.contacts;
  const forces: number[] = [];
  // A thousand frames tell enough.
  const step = Math.max(1, Math.floor(length / 1000));
  for (let n = 0; n < length; n += step) {
    for (let c = 0; c < count; c++) {
      const force = Math.sqrt(dot(data, n * width + CONTACT * c + 3));
      if (force > 0 && Number.isFinite(force)) forces.push(force);
    }
  }
  if (forces.length === 0) return 0;
  forces.sort((x, y) => x - y);
  return forces[Math.floor(0.98 * (forces.length - 1))];
}
