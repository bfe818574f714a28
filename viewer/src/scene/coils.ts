// Springs: a coil between two marks that lie on two bodies, stretched as they move apart.
import { CatmullRomCurve3, Group, Mesh, MeshStandardMaterial, TubeGeometry, Vector3, type BufferGeometry, type Object3D } from "three";
import type { Form } from "../replay/format";

/** Marks of a spring's ends are named so by the program. */
const END = /^(.*\/)?spring\/(.+)\/(from|to)$/;
const TURNS = 14;
const POINTS_PER_TURN = 12;
/** Part of the length at each end that is straight wire. */
const STRAIGHT = 0.12;
/** Radius of the wire, as a part of the coil's. */
const WIRE = 0.14;

interface Coil {
  from: Object3D;
  to: Object3D;
  mesh: Mesh;
}

/** Name of the spring that a form is an end of, and which end. */
export function springEnd(name: string): { spring: string; end: "from" | "to" } | null {
  const found = END.exec(name);
  return found === null ? null : { spring: `${found[1] ?? ""}${found[2]}`, end: found[3] as "from" | "to" };
}

export class Coils {
  readonly root = new Group();
  private readonly coils: Coil[] = [];
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly axis = new Vector3();
  private readonly up = new Vector3(0, 0, 1);

  constructor(marks: { form: Form; mesh: Mesh }[]) {
    const ends = new Map<string, Partial<Record<"from" | "to", Mesh>>>();
    for (const { form, mesh } of marks) {
      const end = springEnd(form.name);
      if (end !== null) ends.set(end.spring, { ...ends.get(end.spring), [end.end]: mesh });
    }
    const material = new MeshStandardMaterial({ color: "#b9bec4", roughness: 0.35, metalness: 0.6 });
    for (const { from, to } of ends.values()) {
      if (from === undefined || to === undefined) continue;
      from.geometry.computeBoundingSphere();
      const mesh = new Mesh(coil(2.2 * (from.geometry.boundingSphere?.radius ?? 0.01)), material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.coils.push({ from, to, mesh });
      this.root.add(mesh);
    }
  }

  /** Puts the coils between their ends as they are now. */
  update(): void {
    for (const { from, to, mesh } of this.coils) {
      from.parent?.updateWorldMatrix(true, true);
      to.parent?.updateWorldMatrix(true, true);
      this.a.setFromMatrixPosition(from.matrixWorld);
      this.b.setFromMatrixPosition(to.matrixWorld);
      this.axis.subVectors(this.b, this.a);
      const length = this.axis.length();
      mesh.visible = length > 1e-6;
      if (!mesh.visible) continue;
      mesh.position.copy(this.a);
      mesh.quaternion.setFromUnitVectors(this.up, this.axis.divideScalar(length));
      mesh.scale.set(1, 1, length);
    }
  }
}

/** A coil along z from 0 to 1. */
function coil(radius: number): BufferGeometry {
  const points = [new Vector3(0, 0, 0)];
  const count = TURNS * POINTS_PER_TURN;
  for (let k = 0; k <= count; k++) {
    const angle = (2 * Math.PI * k) / POINTS_PER_TURN;
    points.push(new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), STRAIGHT + ((1 - 2 * STRAIGHT) * k) / count));
  }
  points.push(new Vector3(0, 0, 1));
  return new TubeGeometry(new CatmullRomCurve3(points), 3 * count, WIRE * radius, 5);
}
