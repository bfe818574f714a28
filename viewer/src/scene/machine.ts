// Bodies and their forms: poses between frames, which geometry is shown, which body is picked.
import { Box3, Color, DoubleSide, FrontSide, Group, Mesh, MeshStandardMaterial, Quaternion, SRGBColorSpace, Vector3, type Raycaster } from "three";
import { POSE, type Frames } from "../replay/decode";
import type { Form, Scene } from "../replay/format";
import type { Place } from "../replay/timeline";
import { Coils, springEnd } from "./coils";
import { Deforming } from "./deform";
import { ORDER } from "./order";
import { isDisc, shapeGeometry } from "./shapes";
import type { Theme } from "./theme";

interface Drawn {
  form: Form;
  mesh: Mesh;
  material: MeshStandardMaterial;
}

const GHOST_OPACITY = 0.16;
/** Forms that the program draws by itself for what touches; where they coincide with a form of the machine's own, that one is seen. */
const AUTOMATIC = /^(soil|tyre|contact|polygonal)\//;
/** Geometry that touches is shown with the machine where it stands out of it by this part of its size: a nozzle, a boom. */
const STANDS_OUT = 0.02;
/** Brightness of the mark on a wheel, whatever the wheel's colour. */
const MARK_BRIGHTNESS = 0.8;
const brightness = ({ r, g, b }: Color): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

export class Machine {
  readonly root = new Group();
  private readonly groups: Group[];
  private readonly world = new Group();
  private readonly drawn: Drawn[] = [];
  private readonly deforming: Deforming[];
  private readonly hasPretty: boolean[];
  private readonly touching: Set<number | null>;
  private readonly coils: Coils;
  /** Geometry that touches and belongs to the machine's looks. */
  private readonly standing = new Set<Form>();
  private contactShown = false;
  private wireShown = false;
  private picked: number | null = null;
  private highlight = new Color();
  private readonly from = new Quaternion();
  private readonly to = new Quaternion();

  constructor(private readonly scene: Scene, private readonly frames: Frames) {
    this.groups = scene.bodies.map(() => new Group());
    for (const group of this.groups) group.matrixAutoUpdate = true;
    this.root.add(this.world, ...this.groups);
    this.touching = new Set(scene.contacts.map((contact) => contact.body));
    this.hasPretty = scene.bodies.map((_, b) => scene.forms.some((form) => form.body === b && !form.contact && springEnd(form.name) === null));
    for (const form of scene.forms) this.add(form);
    this.deforming = this.drawn.flatMap((own) => this.deformingOf(own));
    this.coils = new Coils(this.drawn);
    this.root.add(this.coils.root);
    this.findStanding();
    this.refresh();
  }

  private add(form: Form): void {
    const [r, g, b, a] = form.colour;
    const behind = AUTOMATIC.test(form.name);
    const material = new MeshStandardMaterial({
      roughness: 0.7, metalness: 0.05, vertexColors: isDisc(form.shape), side: form.shape.kind === "mesh" ? DoubleSide : FrontSide,
      polygonOffset: behind, polygonOffsetFactor: 1, polygonOffsetUnits: 4,
    });
    material.color.setRGB(r, g, b, SRGBColorSpace);
    material.userData = { own: material.color.clone(), opacity: a };
    const mesh = new Mesh(shapeGeometry(form.shape, MARK_BRIGHTNESS / Math.max(brightness(material.color), 0.02)), material);
    mesh.position.set(...form.position);
    const [w, x, y, z] = form.quaternion;
    mesh.quaternion.set(x, y, z, w);
    mesh.updateMatrix();
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData = { body: form.body };
    // Footprints are seen through what touches the ground, but not through the rest of the machine.
    mesh.renderOrder = form.body !== null && this.touching.has(form.body) ? ORDER.touching : ORDER.machine;
    ((form.body === null ? null : this.groups[form.body]) ?? this.world).add(mesh);
    this.drawn.push({ form, mesh, material });
  }

  /** Meshes that touch and reach out of the forms of their body. The same mesh in several contacts is one of them. */
  private findStanding(): void {
    this.root.updateMatrixWorld(true);
    const seen = new Set<string>();
    for (const { form, mesh } of this.drawn) {
      if (!form.contact || form.shape.kind !== "mesh" || !this.bodyHasPretty(form)) continue;
      const box = new Box3().setFromObject(mesh);
      const room = STANDS_OUT * box.getSize(new Vector3()).length();
      const around = this.drawn.filter((other) => other.form.body === form.body && !other.form.contact).map((other) => new Box3().setFromObject(other.mesh).expandByScalar(room));
      const key = `${form.body} ${form.shape.vertices.length} ${form.shape.vertices.slice(0, 6).join(" ")}`;
      if (form.shape.vertices.length < 30 || seen.has(key) || around.some((other) => other.containsBox(box))) continue;
      seen.add(key);
      this.standing.add(form);
    }
  }

  private deformingOf({ form, mesh }: Drawn): Deforming[] {
    if (typeof form.deforms !== "number" || form.shape.kind !== "mesh") return [];
    const others = this.drawn.filter((other) => other.form.body === form.body && typeof other.form.deforms !== "number");
    return [new Deforming(this.frames, form.deforms, form.shape.vertices, mesh, others.map((other) => other.mesh))];
  }

  use(theme: Theme): void {
    this.highlight.set(theme.highlight);
    for (const { form, material } of this.drawn) {
      if (form.contact && this.bodyHasPretty(form) && !this.standing.has(form)) (material.userData.own as Color).set(theme.contact);
    }
    this.refresh();
  }

  showContact(shown: boolean): void {
    this.contactShown = shown;
    this.refresh();
  }

  /** Shows the edges of the geometry that touches over everything else. */
  showWire(shown: boolean): void {
    this.wireShown = shown;
    this.refresh();
  }

  pick(body: number | null): void {
    this.picked = body;
    this.refresh();
  }

  private bodyHasPretty(form: Form): boolean {
    return form.body !== null && this.hasPretty[form.body];
  }

  /** Pretty forms, or the touching ones with the others as ghosts. A body that has only touching forms shows them always. */
  private refresh(): void {
    for (const { form, mesh, material } of this.drawn) {
      const ghost = this.contactShown && !form.contact;
      const opacity = ghost ? GHOST_OPACITY : (material.userData.opacity as number);
      const looks = !form.contact || !this.bodyHasPretty(form) || this.standing.has(form);
      mesh.visible = looks || this.contactShown || this.wireShown;
      material.wireframe = form.contact && this.wireShown;
      mesh.castShadow = !ghost;
      material.color.copy(material.userData.own as Color);
      material.opacity = opacity;
      material.transparent = opacity < 1;
      material.depthWrite = !ghost;
      material.emissive.copy(this.highlight);
      material.emissiveIntensity = this.picked !== null && form.body === this.picked ? 0.3 : 0;
      material.needsUpdate = true;
    }
  }

  /** Finds what forms that change take along, with breaks: of fine meshes it is long work. Until then they are drawn stiff. */
  async prepare(breathe: () => Promise<void>): Promise<void> {
    for (const form of this.deforming) {
      do await breathe();
      while (form.prepareNext());
    }
  }

  get deforms(): boolean {
    return this.deforming.length > 0;
  }

  /** Moves the bodies to where they are at a place between two frames, and bends those that change. */
  update(place: Place): void {
    if (this.frames.count === 0) return;
    for (const form of this.deforming) form.update(place);
    this.move(place);
    this.coils.update();
  }

  /** Moves the bodies only. */
  move(place: Place): void {
    const { data, width } = this.frames.poses;
    if (this.frames.count === 0) return;
    const a = place.index * width;
    const b = place.fraction > 0 ? a + width : a;
    const f = place.fraction;
    for (let k = 0; k < this.groups.length; k++) {
      const p = a + POSE * k;
      const n = b + POSE * k;
      const group = this.groups[k];
      // A run that failed may end in poses that are no numbers; the body then stays where it was.
      if (!Number.isFinite(data[p] + data[p + 3] + data[n] + data[n + 3])) continue;
      group.position.set(
        data[p] + f * (data[n] - data[p]),
        data[p + 1] + f * (data[n + 1] - data[p + 1]),
        data[p + 2] + f * (data[n + 2] - data[p + 2]),
      );
      this.from.set(data[p + 4], data[p + 5], data[p + 6], data[p + 3]);
      if (f > 0) this.from.slerp(this.to.set(data[n + 4], data[n + 5], data[n + 6], data[n + 3]), f);
      group.quaternion.copy(this.from);
    }
  }

  /** Where a body is now: the middle of its forms, or its origin. */
  centre(body: number, into: Vector3): Vector3 {
    const box = new Box3();
    for (const { form, mesh } of this.drawn) if (form.body === body && mesh.visible) box.expandByObject(mesh);
    return box.isEmpty() ? into.copy(this.groups[body].position) : box.getCenter(into);
  }

  /** Origin of a body. */
  origin(body: number): Vector3 {
    return this.groups[body].position;
  }

  /** Boxes around what is drawn now; of a machine without forms, its bodies' places. */
  boxes(): Box3[] {
    this.root.updateMatrixWorld(true);
    const moving = this.drawn.filter(({ form }) => form.body !== null);
    const found = (moving.length > 0 ? moving : this.drawn).map(({ mesh }) => new Box3().setFromObject(mesh)).filter((box) => !box.isEmpty());
    return found.length > 0 ? found : this.groups.map((group) => new Box3(group.position.clone(), group.position.clone()));
  }

  /** Boxes around what is drawn of a body. */
  boxesOf(body: number): Box3[] {
    return this.drawn.filter(({ form, mesh }) => form.body === body && mesh.visible).map(({ mesh }) => new Box3().setFromObject(mesh));
  }

  /** Diagonal of the box around all of it, m; 1 for a machine without extent. */
  size(): number {
    const all = this.boxes().reduce((box, part) => box.union(part), new Box3());
    return all.isEmpty() ? 1 : all.getSize(new Vector3()).length() || 1;
  }

  /** The body with the largest form: what a camera follows by default. */
  largest(): number | null {
    let best: number | null = null;
    let size = -1;
    for (const { form, mesh } of this.drawn) {
      if (form.body === null) continue;
      mesh.geometry.computeBoundingSphere();
      const radius = mesh.geometry.boundingSphere?.radius ?? 0;
      if (radius > size) [best, size] = [form.body, radius];
    }
    return best ?? (this.groups.length > 0 ? 0 : null);
  }

  /** The body that a ray meets first. */
  hit(ray: Raycaster): number | null {
    const targets = this.drawn.filter(({ mesh, form }) => mesh.visible && form.body !== null).map(({ mesh }) => mesh);
    for (const found of ray.intersectObjects(targets, false)) return found.object.userData.body as number;
    return null;
  }

  /** The nearest point of the machine on a ray. */
  hitPoint(ray: Raycaster): Vector3 | null {
    const targets = this.drawn.filter(({ mesh }) => mesh.visible).map(({ mesh }) => mesh);
    return ray.intersectObjects(targets, false)[0]?.point ?? null;
  }

  /** Whether anything of this body can be seen and picked. */
  hasForms(body: number): boolean {
    return this.scene.forms.some((form) => form.body === body);
  }
}
