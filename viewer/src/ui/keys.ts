// Keys: space plays and pauses, arrows left and right go frame by frame (ten with shift), up and down change the speed, + and - zoom,
// brackets turn the camera, letters choose where it stands, measure and save a picture.
import type { View } from "./tools";

export interface KeyActions {
  toggle(): void;
  step(frames: number): void;
  faster(steps: number): void;
  ends(last: boolean): void;
  letGo(): void;
  view(name: View): void;
  measure(): void;
  savePicture(): void;
  zoom(notches: number): void;
  turn(by: number): void;
}

const MANY_FRAMES = 10;

/** Whether the element under the focus wants this key for itself. */
function keeps(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("select, textarea")) return true;
  if (target instanceof HTMLInputElement) return target.type === "range" ? !target.matches(".td-transport *") : target.type !== "checkbox" || key === " ";
  return key === " " && target.matches("button, summary, a");
}

export function listenToKeys(on: HTMLElement | Document, actions: KeyActions): void {
  on.addEventListener("keydown", (given) => {
    const event = given as KeyboardEvent;
    if (event.ctrlKey || event.metaKey || event.altKey || keeps(event.target, event.key)) return;
    const frames = event.shiftKey ? MANY_FRAMES : 1;
    const does: Record<string, () => void> = {
      " ": () => actions.toggle(),
      ArrowLeft: () => actions.step(-frames),
      ArrowRight: () => actions.step(frames),
      ArrowUp: () => actions.faster(1),
      ArrowDown: () => actions.faster(-1),
      Home: () => actions.ends(false),
      End: () => actions.ends(true),
      Escape: () => actions.letGo(),
      h: () => actions.view("home"),
      t: () => actions.view("top"),
      s: () => actions.view("side"),
      f: () => actions.view("front"),
      w: () => actions.view("wheel"),
      m: () => actions.measure(),
      p: () => actions.savePicture(),
      "+": () => actions.zoom(-1),
      "=": () => actions.zoom(-1),
      "-": () => actions.zoom(1),
      "[": () => actions.turn(-1),
      "]": () => actions.turn(1),
    };
    const action = does[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
