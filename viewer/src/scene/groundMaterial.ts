// The material of everything that is ground: undisturbed relief, plane, patches of soil. Grains and patches of dust make it look like
// ground, hollows are darker, a grid of lines gives scale and motion. It can shade soil by its change of height, and leaves out the relief
// where patches lie.
import { Color, DataTexture, DoubleSide, MeshLambertMaterial, RedFormat, Vector2, Vector4, type Texture } from "three";
import { changeScale, scaleTexture } from "./colour";
import type { Theme } from "./theme";

/** Values shared by all ground of a scene. */
export class GroundLook {
  readonly uniforms = {
    changeScale: { value: null as Texture | null },
    /** Change of height at the ends of the scale, m. */
    changeRange: { value: 0.01 },
    shaded: { value: 0 },
    groundColour: { value: new Color() },
    gridSpacing: { value: 0.5 },
    gridStrength: { value: 0.1 },
    /** Size of the finest grains that are drawn, m, and how much they stand out. */
    grain: { value: 0.004 },
    grainStrength: { value: 1 },
    mask: { value: emptyMask() as Texture },
    maskOrigin: { value: new Vector2() },
    /** Texels of the mask in a metre. */
    maskPerMetre: { value: new Vector2(1, 1) },
    /** Width of the strip of relief under the edges of patches, m. */
    overlap: { value: 0.001 },
    /** Ends of the known ground (x, y of both corners) and the width over which it fades into the sky, m. */
    reliefBox: { value: new Vector4(-1e9, -1e9, 1e9, 1e9) },
    reliefFade: { value: 1 },
  };

  use(theme: Theme): void {
    this.uniforms.changeScale.value?.dispose();
    this.uniforms.changeScale.value = scaleTexture(changeScale(theme.ground));
    this.uniforms.groundColour.value.set(theme.ground);
    this.uniforms.gridStrength.value = theme.grid;
  }

  /** `covered` has one entry per square of `pitch` metres, x fastest, from `origin` on: not 0 where a patch lies. */
  setMask(origin: [number, number], pitch: number, nx: number, ny: number, covered: Uint8Array): void {
    this.uniforms.mask.value.dispose();
    const texture = new DataTexture(covered, nx, ny, RedFormat);
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    this.uniforms.mask.value = texture;
    this.uniforms.overlap.value = 0.01 * pitch;
    this.uniforms.maskOrigin.value.set(...origin);
    this.uniforms.maskPerMetre.value.set(1 / (pitch * nx), 1 / (pitch * ny));
  }

  material(kind: "soil" | "relief" | "plane"): MeshLambertMaterial {
    const material = new MeshLambertMaterial({ side: DoubleSide });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      const define = `#define GROUND_${kind.toUpperCase()}\n`;
      shader.vertexShader =
        define +
        shader.vertexShader
          .replace("#include <common>", `#include <common>\n${VERTEX_HEAD}`)
          .replace("#include <begin_vertex>", `#include <begin_vertex>\n${VERTEX_BODY}`);
      shader.fragmentShader =
        define +
        shader.fragmentShader
          .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
          .replace("#include <color_fragment>", `#include <color_fragment>\n${FRAGMENT_BODY}`)
          .replace("#include <normal_fragment_begin>", `#include <normal_fragment_begin>\n${FRAGMENT_NORMAL}`)
          .replace("#include <fog_fragment>", `#include <fog_fragment>\n${FRAGMENT_END}`);
    };
    material.customProgramCacheKey = () => `ground-${kind}`;
    return material;
  }
}

function emptyMask(): DataTexture {
  const texture = new DataTexture(new Uint8Array(1), 1, 1, RedFormat);
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

const VERTEX_HEAD = /* glsl */ `
varying vec2 vGround;
#ifdef GROUND_SOIL
attribute float change;
attribute float hollow;
varying float vChange;
varying float vHollow;
#endif`;

const VERTEX_BODY = /* glsl */ `
vGround = position.xy;
#ifdef GROUND_SOIL
vChange = change;
vHollow = hollow;
#endif`;

const FRAGMENT_HEAD = /* glsl */ `
varying vec2 vGround;
uniform vec3 groundColour;
uniform float gridSpacing;
uniform float gridStrength;
uniform float grain;
uniform float grainStrength;
float scatter(vec2 cell) {
  vec3 p = fract(vec3(cell.xyx) * 0.1031);
  p += dot(p, p.yzx + 33.33);
  return fract((p.x + p.y) * p.z);
}
float smoothNoise(vec2 at) {
  vec2 cell = floor(at);
  vec2 part = fract(at);
  part = part * part * (3.0 - 2.0 * part);
  return mix(mix(scatter(cell), scatter(cell + vec2(1.0, 0.0)), part.x), mix(scatter(cell + vec2(0.0, 1.0)), scatter(cell + vec2(1.0, 1.0)), part.x), part.y);
}
// Noise about zero; what is finer than a pixel fades.
float octave(vec2 place, float size, float pixel) {
  return (smoothNoise(place / size) - 0.5) * clamp(1.5 - 2.0 * pixel / size, 0.0, 1.0);
}
float grainHeight(vec2 place, float pixel) {
  return octave(place, grain, pixel) + 1.8 * octave(place + 7.3, 3.1 * grain, pixel) + 4.0 * octave(place + 19.1, 11.0 * grain, pixel);
}
#ifdef GROUND_SOIL
varying float vChange;
varying float vHollow;
uniform sampler2D changeScale;
uniform float changeRange;
uniform float shaded;
#else
uniform sampler2D mask;
uniform vec2 maskOrigin;
uniform vec2 maskPerMetre;
uniform float overlap;
bool covered(vec2 place) {
  vec2 at = (place - maskOrigin) * maskPerMetre;
  return all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(1.0))) && texture2D(mask, at).r > 0.0;
}
#endif
#ifndef GROUND_PLANE
uniform vec4 reliefBox;
uniform float reliefFade;
#endif`;

const FRAGMENT_BODY = /* glsl */ `
float pixelSize = max(length(dFdx(vGround)), length(dFdy(vGround)));
float dust = octave(vGround, 60.0 * grain, pixelSize) + 0.7 * octave(vGround + 3.7, 17.0 * grain, pixelSize) + 0.5 * octave(vGround + 11.0, 4.3 * grain, pixelSize);
float speck = octave(vGround + 5.1, 0.8 * grain, pixelSize);
vec3 ground = groundColour * (1.0 + grainStrength * (0.16 * dust + 0.22 * speck));
#ifdef GROUND_SOIL
// Soil that was moved is fresh from below, a little darker.
ground *= 1.0 - 0.1 * smoothstep(0.0005, 0.006, abs(vChange));
ground = mix(ground, texture2D(changeScale, vec2(0.5 + 0.5 * clamp(vChange / changeRange, -1.0, 1.0) * 0.996, 0.5)).rgb, shaded);
#endif
#ifdef GROUND_RELIEF
// A strip under the outer edges of the patches stays, else the sky would shine through the joint.
// It is wider than a pixel, because a pixel on the joint is judged by its middle.
vec2 pixel = fwidth(vGround);
float wide = max(overlap, 1.5 * max(pixel.x, pixel.y));
vec2 strip = vec2(wide, -wide);
if (covered(vGround + strip.xx) && covered(vGround + strip.xy) && covered(vGround + strip.yx) && covered(vGround + strip.yy)) discard;
#endif
vec2 cell = vGround / gridSpacing;
vec2 width = max(fwidth(cell), vec2(1e-6));
vec2 away = abs(fract(cell - 0.5) - 0.5) / width;
float line = 1.0 - min(min(away.x, away.y), 1.0);
// Far off, where lines would merge into a haze, they fade.
line *= clamp(1.0 - 3.0 * max(width.x, width.y), 0.0, 1.0);
diffuseColor.rgb = ground * (1.0 - gridStrength * line);
#ifdef GROUND_SOIL
// Less of the sky is seen from a hollow.
diffuseColor.rgb *= 1.0 - 0.62 * vHollow;
#endif`;

/** Grains as bumps of the surface, so that the sun from the side makes them visible. */
const FRAGMENT_NORMAL = /* glsl */ `
{
  float eps = 0.7 * grain;
  float here = grainHeight(vGround, pixelSize);
  vec2 rise = vec2(grainHeight(vGround + vec2(eps, 0.0), pixelSize) - here, grainHeight(vGround + vec2(0.0, eps), pixelSize) - here) / eps;
  vec3 bump = (viewMatrix * vec4(-rise * grain * 0.22 * grainStrength, 0.0, 0.0)).xyz;
  normal = normalize(normal + bump * (gl_FrontFacing ? 1.0 : -1.0));
}`;

const FRAGMENT_END = /* glsl */ `
#ifndef GROUND_PLANE
vec2 inside = min(vGround - reliefBox.xy, reliefBox.zw - vGround);
gl_FragColor.rgb = mix(fogColor, gl_FragColor.rgb, smoothstep(0.0, reliefFade, min(inside.x, inside.y)));
#endif`;
