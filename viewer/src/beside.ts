// Two runs beside each other: the replay of another run's report, which the user opens from disk, plays along with this one.
import { Player } from "./player";
import { loadEmbedded } from "./replay-embed";
import { element } from "./ui/dom";

/** Asks for the report of another run and shows its replay beside `first`. */
export function offerBeside(first: Player): void {
  const input = element("input", { type: "file", accept: ".html,text/html", class: "td-file", "aria-label": "Report of another run" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) void showBeside(first, file).catch((error: unknown) => first.note(`${file.name} cannot be shown beside this run: ${error instanceof Error ? error.message : String(error)}`));
  });
  input.click();
}

/** Shows the replay of a report beside another; both show the same time from then on. */
export async function showBeside(first: Player, file: Blob & { name?: string }): Promise<Player> {
  const page = new DOMParser().parseFromString(await file.text(), "text/html");
  const text = (id: string) => page.getElementById(id)?.textContent ?? "";
  if (text("replay-scene") === "" || text("replay-frames") === "") throw new Error("it is no report with a replay");
  const loaded = await loadEmbedded(text("replay-scene"), text("replay-frames"), text("figures"));
  const pair = pairOf(first);
  const close = element("button", { type: "button", class: "td-button", "aria-label": "Close the run beside" }, "×");
  const head = element("p", { class: "td-beside-head" }, element("span", {}, loaded.scene.title || file.name || "another run"), close);
  const host = element("div", { class: "td-beside" }, head);
  pair.querySelector(".td-beside")?.remove();
  pair.append(host);
  const second = new Player(host, loaded.scene, loaded.frames, loaded.series, { embedded: true });
  link(first, second);
  close.addEventListener("click", () => {
    host.remove();
    first.shownTime = null;
  });
  return second;
}

/** The element that holds both, around the first. */
function pairOf(first: Player): HTMLElement {
  const around = first.root.parentElement;
  if (around?.classList.contains("td-pair")) return around;
  const pair = element("div", { class: "td-pair" });
  first.root.replaceWith(pair);
  pair.append(first.root);
  return pair;
}

/** What one shows, the other shows. */
function link(first: Player, second: Player): void {
  let sought = NaN;
  const tell = (other: Player) => (time: number) => {
    if (time === sought) return;
    sought = time;
    other.seek(time);
  };
  first.shownTime = tell(second);
  second.shownTime = tell(first);
  second.seek(first.time);
}
