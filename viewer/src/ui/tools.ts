// Tools over the picture: where the camera stands, measuring, saving a picture or a film.
import { element } from "./dom";

export type View = "home" | "top" | "side" | "front" | "wheel";

export interface ToolActions {
  view(name: View): void;
  measure(on: boolean): void;
  savePicture(): void;
  /** Starts a film, or ends it. */
  film(): void;
  /** Opens another run beside this one. */
  beside(): void;
}

const VIEWS: [View, string, string][] = [
  ["home", "Home", "Frame the whole machine (H)"],
  ["top", "Top", "Look from above (T)"],
  ["side", "Side", "Look from the side (S)"],
  ["front", "Front", "Look from the front (F)"],
  ["wheel", "Close-up", "Close view of a wheel or a contact, following it (W)"],
];

export class Tools {
  readonly root: HTMLElement;
  private readonly measureButton = button("Measure", "Click two points to measure the distance between them (M)");
  private readonly filmButton = button("WebM", "Play from the start and save a film");

  constructor(actions: ToolActions, has: { wheel: boolean; film: boolean; beside: boolean }) {
    const views = VIEWS.filter(([name]) => name !== "wheel" || has.wheel).map(([name, label, title]) => {
      const made = button(label, title);
      made.dataset.view = name;
      made.addEventListener("click", () => actions.view(name));
      return made;
    });
    const png = button("PNG", "Save the picture (P)");
    png.addEventListener("click", () => actions.savePicture());
    this.measureButton.setAttribute("aria-pressed", "false");
    this.measureButton.addEventListener("click", () => actions.measure(this.measureButton.getAttribute("aria-pressed") !== "true"));
    this.filmButton.addEventListener("click", () => actions.film());
    this.filmButton.hidden = !has.film;
    const beside = button("Beside…", "Open the report of another run and play both side by side");
    beside.addEventListener("click", () => actions.beside());
    beside.hidden = !has.beside;
    this.root = element(
      "div",
      { class: "td-tools", role: "toolbar", "aria-label": "Camera and tools" },
      element("div", { class: "td-tool-group" }, ...views),
      element("div", { class: "td-tool-group" }, this.measureButton, png, this.filmButton, beside),
    );
  }

  setMeasuring(on: boolean): void {
    this.measureButton.setAttribute("aria-pressed", String(on));
  }

  setFilming(on: boolean): void {
    this.filmButton.setAttribute("aria-pressed", String(on));
    this.filmButton.textContent = on ? "Stop and save" : "WebM";
  }
}

function button(label: string, title: string): HTMLButtonElement {
  return element("button", { type: "button", class: "td-tool", title }, label);
}
