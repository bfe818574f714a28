// Legends of what the scene shows by colour or length, laid over the picture.
import { cssGradient, type Scale } from "../scene/colour";
import { element, setText } from "./dom";

/** A bar of colour with the values of its ends and its middle. */
export class ScaleLegend {
  readonly root: HTMLElement;
  private readonly bar = element("div", { class: "td-legend-bar" });
  private readonly ticks = [0, 1, 2].map(() => element("span"));
  private readonly text: HTMLElement;

  constructor(title: string, private readonly unit: string) {
    this.text = element("div", { class: "td-legend-title" }, `${title}, ${unit}`);
    this.root = element("div", { class: "td-legend", role: "img" }, this.text, this.bar, element("div", { class: "td-legend-ticks" }, ...this.ticks));
  }

  set(scale: Scale, values: [number, number, number]): void {
    this.bar.style.background = cssGradient(scale, "to right");
    values.forEach((value, k) => setText(this.ticks[k], `${value > 0 && values[0] < 0 ? "+" : ""}${plain(value)}`));
    this.root.setAttribute("aria-label", `${this.text.textContent}: from ${plain(values[0])} to ${plain(values[2])} ${this.unit}`);
  }
}

const plain = (value: number): string => String(Number(value.toPrecision(3))).replace("-", "−");

/** How long an arrow is. */
export class ArrowLegend {
  readonly root = element("div", { class: "td-legend td-legend-arrow" });
  private readonly text = element("span");

  constructor() {
    this.root.append(element("span", { class: "td-arrow-sample", "aria-hidden": "true" }), this.text);
  }

  set(metresPerNewton: number): void {
    setText(this.text, metresPerNewton > 0 ? `Contact force: 0.1 m = ${plain(Number((0.1 / metresPerNewton).toPrecision(2)))} N` : "Contact force");
  }
}
