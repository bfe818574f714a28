// Colour scales, the same for what is drawn and for its legend.
import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from "three";

type Stop = [number, number, number];

const hex = (text: string): Stop => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)) as Stop;

export interface Scale {
  stops: Stop[];
}

/** Change of height: ruts blue, berms orange to red, the soil's own colour where nothing happened. */
export const changeScale = (ground: string): Scale => ({
  stops: ["#0b2a6f", "#1f62b8", "#6fa8d6", ground, "#e8a35c", "#cf5a25", "#8c1d10"].map(hex),
});

/** Pressure: dark purple to yellow, rising in lightness, legible without colour. */
export const pressureScale: Scale = { stops: ["#30126b", "#7b1fa2", "#cc3f78", "#f4814c", "#fdc74c", "#fbf8a0"].map(hex) };

/** Colour at `t` from 0 to 1, as 0–255 sRGB. */
export function colourAt(scale: Scale, t: number): Stop {
  const place = Math.min(Math.max(t, 0), 1) * (scale.stops.length - 1);
  const k = Math.min(Math.floor(place), scale.stops.length - 2);
  const from = scale.stops[k];
  const to = scale.stops[k + 1];
  return from.map((value, c) => value + (place - k) * (to[c] - value)) as Stop;
}

export function cssGradient(scale: Scale, direction: string): string {
  return `linear-gradient(${direction}, ${scale.stops.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
}

const TEXELS = 256;

/** The scale as a texture that a shader looks up. */
export function scaleTexture(scale: Scale): DataTexture {
  const data = new Uint8Array(4 * TEXELS);
  for (let k = 0; k < TEXELS; k++) {
    const [r, g, b] = colourAt(scale, k / (TEXELS - 1));
    data.set([Math.round(r), Math.round(g), Math.round(b), 255], 4 * k);
  }
  const texture = new DataTexture(data, TEXELS, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** The next of 1, 1.5, 2, 3, 4, 6, 8, 10, … at or above `value`: ends of scales that read well. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0;
  const decade = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 6, 8, 10]) if (step * decade >= value * (1 - 1e-9)) return step * decade;
  return 10 * decade;
}
