// A bar of a round length at the depth of what the camera looks at.
import { element, setText } from "./dom";

/** The bar is at most this long, px. */
const LONGEST_PX = 110;

/** The largest of 1, 2, 5 times a power of ten up to `most`. */
export function roundDown(most: number): number {
  if (!(most > 0) || !Number.isFinite(most)) return 0;
  const decade = 10 ** Math.floor(Math.log10(most) + 1e-9);
  return decade * (most / decade >= 5 ? 5 : most / decade >= 2 ? 2 : 1);
}

/** A length as engineers write it. */
export function lengthText(metres: number): string {
  const [factor, unit] = metres >= 1000 ? [1e-3, "km"] : metres >= 1 ? [1, "m"] : metres >= 0.01 ? [100, "cm"] : [1000, "mm"];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
}

export class ScaleBar {
  private readonly text = element("span");
  private readonly bar = element("span", { class: "td-scale-bar" });
  readonly root = element("div", { class: "td-scale", role: "img" }, this.text, this.bar);
  private shown = -1;

  set(metresPerPixel: number): void {
    if (Math.abs(metresPerPixel - this.shown) <= 1e-6 * metresPerPixel) return;
    this.shown = metresPerPixel;
    const metres = roundDown(LONGEST_PX * metresPerPixel);
    this.root.hidden = !(metres > 0);
    if (!(metres > 0)) return;
    setText(this.text, lengthText(metres));
    this.bar.style.width = `${(metres / metresPerPixel).toFixed(1)}px`;
    this.root.setAttribute("aria-label", `Scale: ${lengthText(metres)} in the middle of the picture`);
  }
}
