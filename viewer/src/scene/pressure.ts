// Contact patches: every loaded node of soil as a tile that lies on the surface, coloured by pressure and seen through the wheel.
import { DoubleSide, DynamicDrawUsage, Float32BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, type Texture } from "three";
import type { Frames, PressureSpan } from "../replay/decode";
import type { Ground } from "../replay/format";
import { pressureScale, scaleTexture } from "./colour";
import { BLENDED_EARLY, ORDER } from "./order";
import { groundHeight } from "./relief";
import type { Soil } from "./soil";

const STRIDE = 4;
const FULL = 65535;
const NODE_BYTES = 6;
/** A footprint spread over more places than this is drawn level. */
const MOST_PLACES = 1 << 20;

export class Pressure {
  readonly mesh: Mesh;
  private readonly geometry = new InstancedBufferGeometry();
  private readonly uniforms = {
    scale: { value: scaleTexture(pressureScale) as Texture },
    /** Pressure at the end of the scale, Pa. */
    range: { value: 1e4 },
    spacing: { value: 1 },
  };
  private capacity = 0;
  private places = new InstancedBufferAttribute(new Float32Array(0), STRIDE);
  private slopes = new InstancedBufferAttribute(new Float32Array(0), 2);
  private shownFrame = -1;
  /** Scratch: heights of one footprint on its own grid. */
  private heights = new Float32Array(4096);
  private limited = new Float32Array(4096);

  constructor(private readonly frames: Frames, private readonly soil: Soil, private readonly ground: Ground) {
    this.uniforms.spacing.value = soil.spacing;
    this.geometry.setAttribute("position", new Float32BufferAttribute([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0], 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new ShaderMaterial({
      uniforms: this.uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      ...BLENDED_EARLY,
    });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = ORDER.footprints;
    this.reserve(2048);
  }

  setRange(range: number): void {
    this.uniforms.range.value = range > 0 ? range : 1;
  }

  private reserve(nodes: number): void {
    if (nodes <= this.capacity) return;
    this.capacity = Math.max(nodes, 2 * this.capacity);
    this.places = new InstancedBufferAttribute(new Float32Array(STRIDE * this.capacity), STRIDE);
    this.slopes = new InstancedBufferAttribute(new Float32Array(2 * this.capacity), 2);
    this.places.setUsage(DynamicDrawUsage);
    this.slopes.setUsage(DynamicDrawUsage);
    // A geometry keeps its buffers by name; without this the old, smaller ones would stay.
    this.geometry.dispose();
    this.geometry.setAttribute("place", this.places);
    this.geometry.setAttribute("slope", this.slopes);
  }

  /** Draws the nodes of a frame on the soil as it is drawn now; `moved` says whether the soil was written again. */
  update(frame: number, moved: boolean): void {
    if (!this.mesh.visible || (frame === this.shownFrame && !moved)) return;
    this.shownFrame = frame;
    const spans = this.frames.pressures[frame] ?? [];
    let nodes = 0;
    for (const span of spans) nodes += span.nodes;
    this.reserve(nodes);
    let at = 0;
    for (const span of spans) at = this.write(span, at);
    this.geometry.instanceCount = nodes;
    for (const attribute of [this.places, this.slopes]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, attribute.itemSize * nodes);
      attribute.needsUpdate = true;
    }
  }

  private write(span: PressureSpan, first: number): number {
    const { view, nodes } = span;
    const { spacing } = this.soil;
    const places = this.places.array as Float32Array;
    for (let k = 0, at = span.at; k < nodes; k++, at += NODE_BYTES) {
      const i = span.i + view.getInt16(at, true);
      const j = span.j + view.getInt16(at + 2, true);
      const to = STRIDE * (first + k);
      const z = this.soil.heightAt(i, j);
      places[to] = i * spacing;
      places[to + 1] = j * spacing;
      places[to + 2] = z === z ? z : groundHeight(this.ground, i * spacing, j * spacing);
      places[to + 3] = (view.getUint16(at + 4, true) / FULL) * span.full;
    }
    this.tilt(span, first);
    return first + nodes;
  }

  /**
   * Tiles are tilted as their loaded neighbours lie: beside the footprint the soil may be a wall. Where the wall itself bears at a wheel's
   * side, its tiles would stand on end; they rise by 45 degrees at most.
   */
  private tilt(span: PressureSpan, first: number): void {
    const { view, nodes } = span;
    const places = this.places.array as Float32Array;
    const slopes = this.slopes.array as Float32Array;
    let [low, high, near, far] = [32767, -32768, 32767, -32768];
    for (let k = 0, at = span.at; k < nodes; k++, at += NODE_BYTES) {
      const a = view.getInt16(at, true);
      const b = view.getInt16(at + 2, true);
      low = Math.min(low, a);
      high = Math.max(high, a);
      near = Math.min(near, b);
      far = Math.max(far, b);
    }
    // A border of empty places all around saves asking whether a neighbour is there.
    const width = high - low + 3;
    const size = width * (far - near + 3);
    if (nodes === 0 || size > MOST_PLACES) return void slopes.fill(0, 2 * first, 2 * (first + nodes));
    if (size > this.heights.length) [this.heights, this.limited] = [new Float32Array(2 * size), new Float32Array(2 * size)];
    const { heights, limited } = this;
    const { spacing } = this.soil;
    heights.fill(NaN, 0, size);
    limited.fill(NaN, 0, size);
    const placeOf = (at: number) => (view.getInt16(at + 2, true) - near + 1) * width + view.getInt16(at, true) - low + 1;
    for (let k = 0, at = span.at; k < nodes; k++, at += NODE_BYTES) heights[placeOf(at)] = places[STRIDE * (first + k) + 2];
    for (let k = 0, at = span.at; k < nodes; k++, at += NODE_BYTES) {
      const p = placeOf(at);
      const z = lowest(lowest(heights[p], heights[p - 1], heights[p + 1], spacing), heights[p - width], heights[p + width], spacing);
      limited[p] = places[STRIDE * (first + k) + 2] = z;
    }
    for (let k = 0, at = span.at; k < nodes; k++, at += NODE_BYTES) {
      const p = placeOf(at);
      slopes[2 * (first + k)] = slope(limited[p - 1], limited[p], limited[p + 1]) / spacing;
      slopes[2 * (first + k) + 1] = slope(limited[p - width], limited[p], limited[p + width]) / spacing;
    }
  }

  /** Forgets what is drawn, so that the next update draws it again. */
  reset(): void {
    this.shownFrame = -1;
  }
}

/** The height, or what a neighbour that is a number lets it be. */
function lowest(here: number, before: number, after: number, rise: number): number {
  let z = here;
  if (before + rise < z) z = before + rise;
  if (after + rise < z) z = after + rise;
  return z;
}

/** Rise from one node to the next from those of the three that are numbers. */
function slope(before: number, here: number, after: number): number {
  if (before === before) return after === after ? (after - before) / 2 : here - before;
  return after === after ? after - here : 0;
}

/** Peak pressure that all but a fiftieth of the bodies' footprints stay below, Pa. */
export function typicalPressure(frames: Frames): number {
  const peaks = frames.pressures.flatMap((spans) => spans.filter((span) => span.nodes > 0).map((span) => span.full));
  const sound = peaks.filter((peak) => peak > 0 && Number.isFinite(peak)).sort((a, b) => a - b);
  return sound.length === 0 ? 0 : sound[Math.floor(0.98 * (sound.length - 1))];
}

const VERTEX = /* glsl */ `
attribute vec4 place;
attribute vec2 slope;
uniform float spacing;
varying float vPressure;
void main() {
  vec2 away = position.xy * spacing;
  vPressure = place.w;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xy + away, place.z + dot(slope, away), 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform sampler2D scale;
uniform float range;
varying float vPressure;
void main() {
  gl_FragColor = vec4(texture2D(scale, vec2(clamp(vPressure / range, 0.002, 0.998), 0.5)).rgb, 0.72);
  #include <colorspace_fragment>
}`;
