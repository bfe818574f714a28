// Contact patches: every loaded node of soil as a tile that lies on the surface, coloured by pressure and seen through the wheel.
import { DoubleSide, DynamicDrawUsage, Float32BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, type Texture } from "three";
import type { Frames, PressureSpan } from "../replay/decode";
import type { Ground } from "../replay/format";
import { pressureScale, scaleTexture } from "./colour";
import { groundHeight } from "./relief";
import type { Soil } from "./soil";

const STRIDE = 4;
const FULL = 65535;

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
  private readonly surface = new Float32Array(3);

  constructor(private readonly frames: Frames, private readonly soil: Soil, private readonly ground: Ground) {
    this.uniforms.spacing.value = soil.spacing;
    this.geometry.setAttribute("position", new Float32BufferAttribute([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0], 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new ShaderMaterial({
      uniforms: this.uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      side: DoubleSide,
    });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
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

  /** Draws the nodes of a frame on the soil as it is drawn now; `moved` says whether the soil was written anew. */
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
    const { soil, surface } = this;
    const places = this.places.array as Float32Array;
    const slopes = this.slopes.array as Float32Array;
    for (let k = 0, at = span.at; k < nodes; k++, at += 6) {
      const i = span.i + view.getInt16(at, true);
      const j = span.j + view.getInt16(at + 2, true);
      const x = i * soil.spacing;
      const y = j * soil.spacing;
      if (!soil.surfaceAt(i, j, surface)) {
        surface[0] = groundHeight(this.ground, x, y);
        surface[1] = surface[2] = 0;
      }
      const to = first + k;
      places[STRIDE * to] = x;
      places[STRIDE * to + 1] = y;
      places[STRIDE * to + 2] = surface[0];
      places[STRIDE * to + 3] = (view.getUint16(at + 4, true) / FULL) * span.full;
      slopes[2 * to] = surface[1];
      slopes[2 * to + 1] = surface[2];
    }
    return first + nodes;
  }

  /** Forgets what is drawn, so that the next update draws it again. */
  reset(): void {
    this.shownFrame = -1;
  }
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
