// What is missing or wrong with a run, said once each above the scene.
import { element } from "./dom";

export class Notes {
  readonly root: HTMLDetailsElement;
  readonly texts: string[] = [];
  private readonly heading = element("summary");
  private readonly list = element("ul");

  constructor() {
    this.root = element("details", { class: "td-notes", hidden: true, open: true }, this.heading, this.list);
  }

  add(text: string): void {
    if (this.texts.includes(text)) return;
    this.texts.push(text);
    this.list.append(element("li", {}, text));
    this.heading.textContent = this.texts.length === 1 ? "1 note about this run" : `${this.texts.length} notes about this run`;
    this.root.hidden = false;
  }
}
