// A measured distance: two points on the machine or the ground, a line between them that is seen through everything.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Points, PointsMaterial, Vector3 } from "three";
import type { Theme } from "./theme";

export class Measure {
  readonly root = new Group();
  readonly points: Vector3[] = [];
  private readonly geometry = new BufferGeometry();
  private readonly line = new LineBasicMaterial({ depthTest: false, transparent: true, fog: false });
  private readonly dots = new PointsMaterial({ size: 9, sizeAttenuation: false, depthTest: false, transparent: true, fog: false });

  constructor() {
    for (const part of [new Line(this.geometry, this.line), new Points(this.geometry, this.dots)]) {
      part.frustumCulled = false;
      part.renderOrder = 10;
      this.root.add(part);
    }
    this.clear();
  }

  use(theme: Theme): void {
    this.line.color.set(theme.measure);
    this.dots.color.set(theme.measure);
  }

  clear(): void {
    this.points.length = 0;
    this.write();
  }

  /** Takes one more point; a third begins a new distance. */
  add(point: Vector3): void {
    if (this.points.length === 2) this.points.length = 0;
    this.points.push(point.clone());
    this.write();
  }

  private write(): void {
    this.geometry.setAttribute("position", new Float32BufferAttribute(this.points.flatMap((point) => point.toArray()), 3));
    this.root.visible = this.points.length > 0;
  }

  /** The two points' difference, m; nothing before there are two. */
  difference(): Vector3 | null {
    return this.points.length === 2 ? new Vector3().subVectors(this.points[1], this.points[0]) : null;
  }
}
