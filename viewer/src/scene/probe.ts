// What lies under the pointer: the nearest point of the machine or of the ground as it is drawn.
import { Vector3, type Raycaster } from "three";
import type { Ground } from "../replay/format";
import type { Machine } from "./machine";
import { groundHeight } from "./relief";
import type { Soil } from "./soil";

/** Steps along a ray, each longer than the one before, until it is below the ground; halvings after that. */
const STEPS = 160;
const GROWTH = 1.045;
const HALVINGS = 24;

export class Probe {
  private readonly at = new Vector3();

  constructor(private readonly machine: Machine, private readonly ground: Ground | null, private readonly soil: Soil | null, private readonly reach: number) {}

  /** Height of the ground as it is drawn, m. */
  private height(x: number, y: number): number {
    const { soil } = this;
    if (soil !== null) {
      const z = soil.heightAt(Math.round(x / soil.spacing), Math.round(y / soil.spacing));
      if (z === z) return z;
    }
    return groundHeight(this.ground, x, y);
  }

  /** The first point that the ray meets, or nothing. */
  point(ray: Raycaster): Vector3 | null {
    const machine = this.machine.hitPoint(ray);
    const ground = this.groundPoint(ray);
    if (machine === null || ground === null) return machine ?? ground;
    const { origin } = ray.ray;
    return machine.distanceToSquared(origin) <= ground.distanceToSquared(origin) ? machine : ground;
  }

  private groundPoint(ray: Raycaster): Vector3 | null {
    if (this.ground === null) return null;
    const { origin, direction } = ray.ray;
    const above = (distance: number) => {
      this.at.copy(direction).multiplyScalar(distance).add(origin);
      return this.at.z - this.height(this.at.x, this.at.y);
    };
    let near = 0;
    let step = 0.004 * this.reach;
    if (!(above(0) > 0)) return null;
    for (let k = 0; k < STEPS; k++) {
      let far = near + step;
      if (above(far) <= 0) {
        for (let n = 0; n < HALVINGS; n++) {
          const middle = 0.5 * (near + far);
          if (above(middle) > 0) near = middle;
          else far = middle;
        }
        above(far);
        return this.at.clone();
      }
      near = far;
      step *= GROWTH;
    }
    return null;
  }
}
