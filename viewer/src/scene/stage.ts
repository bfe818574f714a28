// Camera, lights, controls and the canvas. It draws on request and never by itself.
import {
  Box3, Color, DirectionalLight, Fog, HemisphereLight, PCFShadowMap, PerspectiveCamera, Raycaster, Scene as World, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Theme } from "./theme";

/** From where the machine is seen at first: ahead of it, to its right, a little above. */
const VIEW_FROM = new Vector3(0.95, -1.25, 0.72).normalize();
/** How much higher it may stand, as parts of its distance, until no ground is in the way. */
const LIFTS = [0, 0.4, 0.9, 1.7, 3.5];
/** Places at which the line of sight is compared with the ground. */
const SIGHT_SAMPLES = 24;
/** Low and from the side: ruts and grains throw shadows. */
const SUN_FROM = new Vector3(-0.6, -0.85, 0.7).normalize();
const FIELD_OF_VIEW_DEG = 35;
const SHADOW_TEXELS = 2048;

export class Stage {
  readonly world = new World();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private readonly renderer: WebGLRenderer;
  private readonly sun = new DirectionalLight("#fffaf3", 2);
  private readonly ambient = new HemisphereLight("#ffffff", "#aaa69e", 1);
  private reach = 1;
  private compiled = false;
  private readonly ray = new Raycaster();
  private readonly moved = new Vector3();

  constructor(readonly host: HTMLElement, changed: () => void) {
    this.renderer = new WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    // Asking whether a shader is sound would make the page wait until it is compiled.
    this.renderer.debug.checkShaderErrors = false;
    this.canvas.setAttribute("role", "img");
    host.append(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = 0.97 * Math.PI;
    this.controls.addEventListener("change", changed);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_TEXELS, SHADOW_TEXELS);
    this.sun.shadow.radius = 4;
    this.world.fog = new Fog(0, 1, 2);
    this.world.background = new Color();
    this.world.add(this.sun, this.sun.target, this.ambient);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  use(theme: Theme): void {
    (this.world.background as Color).set(theme.sky);
    (this.world.fog as Fog).color.set(theme.sky);
    this.sun.intensity = theme.sun;
    this.ambient.intensity = theme.ambient;
  }

  /** Places the camera so that the boxes fill the picture, above the part `covered` of its height at the lower edge, and no ground is in the way. */
  frame(boxes: Box3[], covered: number, height: (x: number, y: number) => number): void {
    this.setReach(boxes);
    for (const lift of LIFTS) {
      this.aim(boxes, covered, new Vector3(VIEW_FROM.x, VIEW_FROM.y, VIEW_FROM.z + lift).normalize());
      if (this.isClear(height)) break;
    }
  }

  /** Whether the line of sight runs above ground, from a little before its target to the eye. */
  private isClear(height: (x: number, y: number) => number): boolean {
    const at = new Vector3();
    for (let k = 1; k <= SIGHT_SAMPLES; k++) {
      at.lerpVectors(this.controls.target, this.camera.position, k / SIGHT_SAMPLES);
      const ground = height(at.x, at.y);
      if (k > 0.2 * SIGHT_SAMPLES && ground > at.z) return false;
    }
    return true;
  }

  /** Places the camera on the ray `from` the boxes so that they fill the picture, above the part of its height that is covered. */
  aim(boxes: Box3[], covered: number, from: Vector3): void {
    const centre = boxes.reduce((all, part) => all.union(part), new Box3()).getCenter(new Vector3());
    const slope = Math.tan((Math.PI / 360) * FIELD_OF_VIEW_DEG);
    const slopes = { side: FILL * slope * Math.max(this.camera.aspect, 0.2), up: FILL * slope, down: (FILL - 2 * Math.min(covered, 0.3)) * slope };
    const { eye, target } = fitted(boxes, centre, from, slopes);
    this.controls.target.copy(target);
    this.camera.position.copy(eye);
    this.controls.update();
  }

  /** Fits limits of the camera, fog and shadows to the size of what is looked at. */
  private setReach(boxes: Box3[]): void {
    const box = boxes.reduce((all, part) => all.union(part), new Box3());
    this.reach = Math.max(0.5 * box.getSize(new Vector3()).length(), 1e-3);
    this.controls.minDistance = this.distances.min;
    this.controls.maxDistance = this.distances.max;
    const fog = this.world.fog as Fog;
    fog.near = 8 * this.reach;
    fog.far = 45 * this.reach;
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.3 * this.reach;
    shadow.right = shadow.top = 1.3 * this.reach;
    shadow.near = 0.1 * this.reach;
    shadow.far = 8 * this.reach;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.004 * this.reach;
    shadow.updateProjectionMatrix();
    this.light(box.getCenter(new Vector3()));
  }

  /** How near to what it looks at the camera may come, and how far away, m. */
  get distances(): { min: number; max: number } {
    return { min: 0.004 * this.reach, max: 40 * this.reach };
  }

  /** Moves nearer to what the camera looks at, or away. */
  dolly(factor: number): void {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    const wanted = Math.min(Math.max(distance * factor, this.distances.min), this.distances.max);
    this.camera.position.sub(target).multiplyScalar(wanted / distance).add(target);
  }

  /** Turns the camera about the vertical through what it looks at, rad. */
  turn(angle: number): void {
    const { target } = this.controls;
    this.camera.position.sub(target).applyAxisAngle(this.camera.up, angle).add(target);
    this.camera.lookAt(target);
  }

  /** From the camera to what it looks at, m. */
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Length at the depth of what the camera looks at that one pixel shows, m. Asked in every frame: the size of the canvas needs no layout. */
  metresPerPixel(): number {
    return (2 * this.distance * Math.tan((Math.PI / 360) * FIELD_OF_VIEW_DEG)) / Math.max(this.canvas.height / this.renderer.getPixelRatio(), 1);
  }

  /** What is near is not cut off, and what is far keeps its depth apart. */
  private clip(): void {
    const { distance } = this;
    const near = Math.max(0.02 * distance, 2e-4 * this.reach);
    if (Math.abs(near - this.camera.near) <= 0.01 * near) return;
    this.camera.near = near;
    this.camera.far = Math.max(200 * this.reach, 50 * distance);
    this.camera.updateProjectionMatrix();
  }

  /** The sun shines on what is at `centre`, so that its shadow is sharp there. */
  light(centre: Vector3): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN_FROM, 4 * this.reach);
  }

  /** Moves camera and target alike. */
  shift(to: Vector3, from: Vector3): void {
    this.moved.subVectors(to, from);
    this.controls.target.add(this.moved);
    this.camera.position.add(this.moved);
    this.camera.lookAt(this.controls.target);
  }

  resize(): boolean {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return false;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    return true;
  }

  /** A ray through a place in the window, offset by pixels. */
  rayAt(clientX: number, clientY: number): Raycaster {
    const area = this.canvas.getBoundingClientRect();
    const at = new Vector2(((clientX - area.left) / area.width) * 2 - 1, 1 - ((clientY - area.top) / area.height) * 2);
    this.world.updateMatrixWorld();
    this.camera.updateMatrixWorld();
    this.ray.setFromCamera(at, this.camera);
    return this.ray;
  }

  /** Where a place in the world lies in the window. */
  project(place: Vector3): { x: number; y: number } {
    const area = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const p = place.clone().project(this.camera);
    return { x: area.left + ((p.x + 1) / 2) * area.width, y: area.top + ((1 - p.y) / 2) * area.height };
  }

  /** Compiles the shaders beside the page's script; nothing is drawn before. */
  async ready(): Promise<void> {
    await this.renderer.compileAsync(this.world, this.camera).catch(() => {});
    this.compiled = true;
  }

  render(): void {
    if (!this.compiled) return;
    this.clip();
    this.renderer.render(this.world, this.camera);
  }
}

/** Part of the picture that the machine fills at first. */
const FILL = 0.88;

/**
 * The nearest eye on the ray `from` the boxes that sees all of their corners. With u, v, w a corner's place to the right, upwards and
 * towards the eye, it is seen if |u - u_eye| <= slope (w_eye - w), and alike for v: four linear bounds.
 */
function fitted(boxes: Box3[], centre: Vector3, from: Vector3, slopes: { side: number; up: number; down: number }): { eye: Vector3; target: Vector3 } {
  const right = new Vector3(0, 0, 1).cross(from);
  // From straight above, x is to the right.
  if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
  right.normalize();
  const up = new Vector3().crossVectors(from, right);
  const { side, up: above, down: below } = slopes;
  let [r, l, t, b] = [-Infinity, -Infinity, -Infinity, -Infinity];
  const corner = new Vector3();
  for (const { min, max } of boxes) {
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? min.x : max.x, k & 2 ? min.y : max.y, k & 4 ? min.z : max.z).sub(centre);
      const [u, v, w] = [corner.dot(right), corner.dot(up), corner.dot(from)];
      r = Math.max(r, u + side * w);
      l = Math.max(l, -u + side * w);
      t = Math.max(t, v + above * w);
      b = Math.max(b, -v + below * w);
    }
  }
  const w = Math.max((r + l) / (2 * side), (t + b) / (above + below), 1e-3);
  const u = (r - l) / 2;
  const v = (t - above * w + below * w - b) / 2;
  const target = centre.clone().addScaledVector(right, u).addScaledVector(up, v);
  return { eye: target.clone().addScaledVector(from, w), target };
}
