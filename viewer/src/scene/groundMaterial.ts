// The material of everything that is ground: undisturbed relief, plane, patches of soil. It draws a grid of lines for scale and
// motion, shades soil by its change of height, and leaves out the relief where patches lie.
import { Color, DataTexture, DoubleSide, MeshLambertMaterial, RedFormat, Vector2, Vector4, type Texture } from "three";
import { changeScale, scaleTexture } from "./colour";
import type { Theme } from "./theme";

/** Values shared by all ground of a scene. */
export class GroundLook {
  readonly uniforms = {
    changeScale: { value: null as Texture | null },
    /** Change of height at the ends of the scale, m. */
    changeRange: { value: 0.01 },
    shaded: { value: 1 },
    groundColour: { value: new Color() },
    gridSpacing: { value: 0.5 },
    gridStrength: { value: 0.1 },
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
varying float vChange;
#endif`;

const VERTEX_BODY = /* glsl */ `
vGround = position.xy;
#ifdef GROUND_SOIL
vChange = change;
#endif`;

const FRAGMENT_HEAD = /* glsl */ `
varying vec2 vGround;
uniform vec3 groundColour;
uniform float gridSpacing;
uniform float gridStrength;
#ifdef GROUND_SOIL
varying float vChange;
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
vec3 ground = groundColour;
#ifdef GROUND_SOIL
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
diffuseColor.rgb = ground * (1.0 - gridStrength * line);`;

const FRAGMENT_END = /* glsl */ `
#ifndef GROUND_PLANE
vec2 inside = min(vGround - reliefBox.xy, reliefBox.zw - vGround);
gl_FragColor.rgb = mix(fogColor, gl_FragColor.rgb, smoothstep(0.0, reliefFade, min(inside.x, inside.y)));
#endif`;
