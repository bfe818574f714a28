// Everything that is drawn, put together: machine, ground, soil, pressure, arrows, and a camera that may follow a body.
import { Vector3, type Box3 } from "three";
import type { Frames } from "../replay/decode";
import type { Scene } from "../replay/format";
import type { Place } from "../replay/timeline";
import { Arrows } from "./arrows";
import { roundUp } from "./colour";
import { GroundLook } from "./groundMaterial";
import { Machine } from "./machine";
import { Measure } from "./measure";
import { Pressure, typicalPressure } from "./pressure";
import { Probe } from "./probe";
import { groundHeight, groundMesh } from "./relief";
import { Soil } from "./soil";
import { Stage } from "./stage";
import type { Theme } from "./theme";
import { zoomOn } from "./zoom";

/** Lines of the grid on the ground are this far apart, as a part of the machine's size, before rounding. */
const GRID_PART = 0.18;
/** Grains that are drawn on the ground, likewise. */
const GRAIN_PART = 0.0022;
/** Times of a run that are looked at to frame its motion. */
const MOTION_SAMPLES = 24;

/** 1, 2 or 5 times a power of ten near `value`, m: squares that one can count. */
function gridStep(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * (value / decade < 1.5 ? 1 : value / decade < 3.5 ? 2 : 5);
}

export class Picture {
  readonly stage: Stage;
  readonly machine: Machine;
  readonly arrows: Arrows;
  readonly soil: Soil | null;
  readonly pressure: Pressure | null;
  readonly measure = new Measure();
  readonly probe: Probe;
  /** Ends of the scales: change of height in m, pressure in Pa. */
  changeRange = 0;
  pressureRange = 0;
  following: number | null = null;
  private readonly look = new GroundLook();
  private readonly lastFollowed = new Vector3();
  private readonly main: number | null;
  /** Whether the user has moved the camera; until then it is placed again when the picture changes its shape. */
  private touched = false;
  private framed = false;
  private readonly size: number;
  private readonly place: Place = { index: 0, fraction: 0 };

  constructor(host: HTMLElement, private readonly scene: Scene, private readonly frames: Frames, private readonly page: { changed(): void; covered(): number }) {
    this.stage = new Stage(host, () => page.changed());
    this.machine = new Machine(scene, frames);
    this.machine.update({ index: 0, fraction: 0 });
    this.main = this.machine.largest();
    this.size = this.machine.size();
    this.look.uniforms.gridSpacing.value = gridStep(GRID_PART * this.size);
    this.look.uniforms.grain.value = GRAIN_PART * this.size;
    this.arrows = new Arrows(frames, scene.contacts.length, this.size, scene.arrow_m_per_n);
    const { ground } = scene;
    this.soil = ground?.kind === "soil" ? new Soil(frames, ground.spacing, this.look) : null;
    this.pressure = this.soil !== null && ground !== null ? new Pressure(frames, this.soil, ground) : null;
    this.probe = new Probe(this.machine, ground, this.soil, this.size);
    const relief = groundMesh(ground, this.look, this.size);
    for (const part of [this.machine.root, relief, this.soil?.mesh, this.pressure?.mesh, this.arrows.root, this.measure.root]) if (part) this.stage.world.add(part);
    this.rescale();
    this.stage.resize();
    this.stage.controls.addEventListener("start", () => (this.touched = true));
    zoomOn(this.stage, () => this.probe, () => {
      this.touched = true;
      page.changed();
    });
    this.home();
  }

  /** The picture has another size. False while it has none. */
  resize(): boolean {
    if (!this.stage.resize()) return false;
    if (!this.touched) this.home();
    return true;
  }

  use(theme: Theme): void {
    this.stage.use(theme);
    this.look.use(theme);
    this.machine.use(theme);
    this.arrows.use(theme);
    this.measure.use(theme);
  }

  /** Frames were added: take in new soil and, if these are the first, place the camera. */
  extend(): void {
    this.soil?.extend();
    this.pressure?.reset();
    if (!this.framed) this.home();
  }

  /** Chooses the ends of the scales and the length of arrows from what is known; scales of a run in progress only grow. */
  rescale(): void {
    this.changeRange = Math.max(this.changeRange, roundUp(this.soil?.typicalChange() ?? 0));
    this.pressureRange = Math.max(this.pressureRange, roundUp(typicalPressure(this.frames)));
    this.look.uniforms.changeRange.value = this.changeRange || 0.01;
    this.pressure?.setRange(this.pressureRange);
    this.arrows.rescale();
  }

  /** Frames the machine: all of its motion if it stays in place, else as it is now. */
  home(): void {
    if (this.frames.count === 0 && this.scene.bodies.length > 0) return;
    const boxes = this.following !== null || this.travels() ? this.machine.boxes() : this.motion();
    this.stage.frame(boxes, this.page.covered(), (x, y) => groundHeight(this.scene.ground, x, y));
    if (this.following !== null) this.lastFollowed.copy(this.machine.origin(this.following));
    this.framed = true;
    this.touched = false;
  }

  /** Looks at the machine from above, from the side or from ahead. */
  view(name: "top" | "side" | "front"): void {
    const boxes = this.following !== null || this.travels() ? this.machine.boxes() : this.motion();
    const from = { top: new Vector3(0, 0, 1), side: new Vector3(0, -1, 0.06), front: new Vector3(1, 0, 0.1) }[name].normalize();
    this.stage.aim(boxes, this.page.covered(), from);
    if (this.following !== null) this.lastFollowed.copy(this.machine.origin(this.following));
    this.touched = true;
  }

  /** Bodies that touch something, the nearest things to look at closely. */
  get wheels(): number[] {
    return [...new Set(this.scene.contacts.map((contact) => contact.body))].filter((body): body is number => body !== null && this.machine.hasForms(body));
  }

  /** Looks closely at a body and follows it. */
  closeUp(body: number): void {
    this.stage.world.updateMatrixWorld(true);
    this.stage.aim(this.machine.boxesOf(body).map((box) => box.expandByScalar(0.15 * box.getSize(new Vector3()).length())), this.page.covered(), new Vector3(0.8, -1.1, 0.45).normalize());
    this.follow(body, false);
    this.touched = true;
  }

  /** Boxes around the machine at some times of the run. */
  private motion(): Box3[] {
    const boxes: Box3[] = [];
    const step = Math.max(1, Math.floor(this.frames.count / MOTION_SAMPLES));
    for (let index = 0; index < this.frames.count; index += step) {
      this.machine.move({ index, fraction: 0 });
      boxes.push(...this.machine.boxes());
    }
    this.machine.move(this.place);
    return boxes.length > 0 ? boxes : this.machine.boxes();
  }

  shadeSoil(shown: boolean): void {
    this.look.uniforms.shaded.value = shown ? 1 : 0;
  }

  /** Keeps the camera beside a body from now on, or lets it stand. The body comes to the middle of the picture. */
  follow(body: number | null, centred: boolean): void {
    this.following = body;
    if (body === null) return;
    this.lastFollowed.copy(this.machine.origin(body));
    if (!centred) return;
    this.touched = true;
    this.stage.world.updateMatrixWorld(true);
    this.stage.shift(this.machine.centre(body, new Vector3()), this.stage.controls.target);
  }

  /** Whether the machine drives over the ground, so that a standing camera would lose it. */
  travels(): boolean {
    if (this.main === null || this.scene.ground === null || this.frames.count < 2) return false;
    const { data, width } = this.frames.poses;
    const from = 7 * this.main;
    const to = (this.frames.count - 1) * width + from;
    const gained = Math.hypot(data[to] - data[from], data[to + 1] - data[from + 1], data[to + 2] - data[from + 2]);
    // What goes to and fro stays in place, however far it swings.
    const [low, high] = [[0, 1, 2].map(() => Infinity), [0, 1, 2].map(() => -Infinity)];
    for (let at = from; at <= to; at += width) {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], data[at + k]);
        high[k] = Math.max(high[k], data[at + k]);
      }
    }
    const swept = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    return gained > 0.2 * this.size && gained > 0.5 * swept;
  }

  get mainBody(): number | null {
    return this.main;
  }

  /** Everything as it is at a place between two frames. */
  update(place: Place): void {
    this.place.index = place.index;
    this.place.fraction = place.fraction;
    this.machine.update(place);
    const written = this.soil?.update(place) ?? 0;
    this.pressure?.update(place.fraction < 0.5 ? place.index : place.index + 1, written > 0);
    this.arrows.thickness = Math.min(1, this.stage.distance / this.size);
    this.arrows.update(place);
    if (this.following !== null) {
      const now = this.machine.origin(this.following);
      this.stage.shift(now, this.lastFollowed);
      this.lastFollowed.copy(now);
    }
    if (this.main !== null) this.stage.light(this.machine.origin(this.main));
  }
}
