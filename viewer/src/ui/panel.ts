// The panel beside the scene: the picked body with its series, what is shown, and all columns that can be plotted.
import type { Column, Scene } from "../replay/format";
import { bareName, columnsOfBody, groupColumns, leafOf } from "./columns";
import { element } from "./dom";

export interface PanelActions {
  pick(body: number | null): void;
  follow(body: number | null): void;
  plot(name: string, shown: boolean): void;
  layer(name: Layer, shown: boolean): void;
  arrowFactor(factor: number): void;
  home(): void;
}

export type Layer = "soil" | "pressure" | "forces" | "contact" | "wire";

/** What is not shown at first. */
export const HIDDEN_AT_FIRST: ReadonlySet<Layer> = new Set<Layer>(["soil", "contact", "wire"]);

const LAYERS: [Layer, string, string][] = [
  ["soil", "Heights", "Colour the soil by its change of height"],
  ["pressure", "Pressure", "Show the loaded nodes of the soil, coloured by pressure"],
  ["forces", "Forces", "Show contact forces as arrows"],
  ["contact", "Contact", "Show the contact geometry, the rest transparent"],
  ["wire", "Wireframe", "Show the edges of the contact geometry"],
];

export class Panel {
  readonly root: HTMLElement;
  readonly layers: HTMLElement;
  private readonly bodySelect = element("select", { class: "td-select td-body", "aria-label": "Body" });
  private readonly followButton = element("button", { type: "button", class: "td-button td-wide", "aria-pressed": "false" }, "Follow");
  private readonly own = element("div", { class: "td-own" });
  private readonly search = element("input", { type: "search", class: "td-search", placeholder: "Search columns", "aria-label": "Search columns" });
  private readonly groups = element("div", { class: "td-groups" });
  private plotted = new Set<string>();
  private picked: number | null = null;
  private following: number | null = null;
  private readonly open = new Set<string>();

  constructor(private readonly scene: Scene, private readonly columns: Column[], private readonly actions: PanelActions, available: Set<Layer>) {
    this.layers = this.makeLayers(available);
    this.bodySelect.append(element("option", { value: "" }, "No body picked"));
    scene.bodies.forEach((name, b) => this.bodySelect.append(element("option", { value: b }, name)));
    this.bodySelect.addEventListener("change", () => actions.pick(this.bodySelect.value === "" ? null : Number(this.bodySelect.value)));
    this.followButton.addEventListener("click", () => {
      const body = this.picked ?? this.following;
      actions.follow(this.following !== null && this.following === body ? null : body);
    });
    const home = element("button", { type: "button", class: "td-button td-wide td-home", title: "Frame the whole machine" }, "Reset view");
    home.addEventListener("click", () => actions.home());
    this.search.addEventListener("input", () => this.listGroups());
    this.root = element(
      "aside",
      { class: "td-panel", "aria-label": "Bodies and columns" },
      element("section", {}, element("h2", {}, "Body"), this.bodySelect, element("div", { class: "td-row" }, this.followButton, home), this.own),
      element("section", { class: "td-columns" }, element("h2", {}, "Columns"), this.search, this.groups),
    );
    this.setPicked(null);
    this.listGroups();
  }

  private makeLayers(available: Set<Layer>): HTMLElement {
    const boxes = LAYERS.filter(([name]) => available.has(name)).map(([name, label, title]) => {
      const box = element("input", { type: "checkbox", checked: !HIDDEN_AT_FIRST.has(name), "data-layer": name });
      box.addEventListener("change", () => this.actions.layer(name, box.checked));
      return element("label", { class: "td-toggle", title }, box, label);
    });
    const length = element("input", { type: "range", min: -2, max: 2, step: 0.1, value: 0, class: "td-slider td-arrow-length", "aria-label": "Length of the arrows" });
    length.addEventListener("input", () => this.actions.arrowFactor(2 ** Number(length.value)));
    const arrows = available.has("forces") ? [element("label", { class: "td-toggle td-length" }, "Arrows", length)] : [];
    return element("div", { class: "td-layers", role: "group", "aria-label": "Shown in the scene" }, ...boxes, ...arrows);
  }

  setPicked(body: number | null): void {
    this.picked = body;
    this.bodySelect.value = body === null ? "" : String(body);
    const found = body === null ? [] : columnsOfBody(this.scene, this.columns, body);
    this.own.replaceChildren();
    if (body === null) this.own.append(element("p", { class: "td-hint" }, "Click a body in the scene, or choose one here, to see its series."));
    else if (found.length === 0) this.own.append(element("p", { class: "td-hint" }, "No column is named after this body."));
    else this.own.append(this.list(found, (column) => column.name));
    this.showFollowing();
  }

  setFollowing(body: number | null): void {
    this.following = body;
    this.showFollowing();
  }

  private showFollowing(): void {
    const body = this.picked ?? this.following;
    const name = body === null ? "" : bareName(this.scene.bodies[body]);
    const on = this.following !== null && this.following === body;
    this.followButton.disabled = body === null;
    this.followButton.setAttribute("aria-pressed", String(on));
    this.followButton.textContent = on ? `Following ${name}` : body === null ? "Follow" : `Follow ${name}`;
  }

  setPlotted(names: string[]): void {
    this.plotted = new Set(names);
    for (const box of this.root.querySelectorAll<HTMLInputElement>("input[data-column]")) box.checked = this.plotted.has(box.dataset.column!);
  }

  private list(columns: Column[], label: (column: Column) => string): HTMLElement {
    return element(
      "ul",
      { class: "td-column-list" },
      ...columns.map((column) => {
        const box = element("input", { type: "checkbox", "data-column": column.name, checked: this.plotted.has(column.name) });
        box.addEventListener("change", () => this.actions.plot(column.name, box.checked));
        const unit = column.unit === "1" ? "–" : column.unit;
        return element("li", {}, element("label", { title: column.about }, box, element("span", { class: "td-name" }, label(column)), element("span", { class: "td-unit" }, unit)));
      }),
    );
  }

  /** Groups that match the search; their columns are made when a group is opened, for there may be hundreds. */
  private listGroups(): void {
    const search = this.search.value.trim();
    const groups = groupColumns(this.columns, search);
    const made = groups.map((group) => {
      const details = element("details", {}, element("summary", {}, element("span", { class: "td-name" }, group.name), element("span", { class: "td-unit" }, String(group.columns.length))));
      const fill = () => {
        if (details.open && details.childElementCount === 1) details.append(this.list(group.columns, (column) => leafOf(column.name)));
      };
      details.addEventListener("toggle", () => {
        if (search === "") this.open[details.open ? "add" : "delete"](group.name);
        fill();
      });
      details.open = search !== "" ? groups.length <= 8 : this.open.has(group.name);
      fill();
      return details;
    });
    this.groups.replaceChildren(...(made.length > 0 ? made : [element("p", { class: "td-hint" }, search === "" ? "This replay has no columns; touchdown view shows all of the run." : "No column matches.")]));
  }
}
