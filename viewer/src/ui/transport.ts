// Play, pause, scrub, speed. It only shows the clock and says what the user wants of it.
import { SPEEDS, type Timeline } from "../replay/timeline";
import type { Phase } from "../replay/format";
import { element, icon, setText } from "./dom";

export interface TransportActions {
  toggle(): void;
  seek(time: number): void;
  step(frames: number): void;
  speed(factor: number): void;
  followEnd(): void;
}

const PLAY = "M8 5v14l11-7z";
const PAUSE = "M7 5h4v14H7zM13 5h4v14h-4z";
const BACK = "M6 5h2v14H6zM19 5v14L9 12z";
const AHEAD = "M16 5h2v14h-2zM5 5v14l10-7z";
/** Steps of the slider over its whole length. */
const TICKS = 10000;

export class Transport {
  readonly root: HTMLElement;
  readonly slider = element("input", { type: "range", min: 0, max: TICKS, step: 1, value: 0, class: "td-slider", "aria-label": "Time" });
  private readonly playButton = element("button", { type: "button", class: "td-button td-play" });
  private readonly now = element("span", { class: "td-now" });
  private readonly total = element("span", { class: "td-total" });
  private readonly speedSelect = element("select", { class: "td-select td-speed", "aria-label": "Speed" });
  private readonly liveButton = element("button", { type: "button", class: "td-button td-live", hidden: true }, "Live");
  private readonly marks = element("div", { class: "td-phase-marks", "aria-hidden": "true" });
  private playing: boolean | null = null;
  private digits = 2;

  constructor(private readonly timeline: Timeline, private readonly phases: Phase[], actions: TransportActions) {
    const back = element("button", { type: "button", class: "td-button td-step", "aria-label": "One frame back" }, icon(BACK));
    const ahead = element("button", { type: "button", class: "td-button td-step", "aria-label": "One frame ahead" }, icon(AHEAD));
    for (const speed of SPEEDS) this.speedSelect.append(element("option", { value: speed, selected: speed === 1 }, `${speed}×`));
    this.playButton.addEventListener("click", () => actions.toggle());
    back.addEventListener("click", () => actions.step(-1));
    ahead.addEventListener("click", () => actions.step(1));
    this.slider.addEventListener("input", () => actions.seek(this.timeAt(Number(this.slider.value) / TICKS)));
    this.speedSelect.addEventListener("change", () => actions.speed(Number(this.speedSelect.value)));
    this.liveButton.addEventListener("click", () => actions.followEnd());
    this.root = element(
      "div",
      { class: "td-transport", role: "group", "aria-label": "Playback" },
      element("div", { class: "td-buttons" }, back, this.playButton, ahead),
      element("div", { class: "td-track" }, this.marks, this.slider),
      element("div", { class: "td-clock" }, this.now, this.total),
      this.liveButton,
      this.speedSelect,
    );
    this.extended();
    this.update();
  }

  private timeAt(part: number): number {
    return this.timeline.start + part * (this.timeline.end - this.timeline.start);
  }

  /** The timeline has other ends now. */
  extended(): void {
    const { start, end, live } = this.timeline;
    this.digits = end - start < 5 ? 3 : 2;
    setText(this.total, ` / ${end.toFixed(this.digits)} s`);
    this.liveButton.hidden = !live;
    this.marks.replaceChildren();
    if (!(end > start)) return;
    this.phases.forEach((phase, k) => {
      const from = Math.max(0, (phase.from - start) / (end - start));
      const to = Math.min(1, (phase.to - start) / (end - start));
      if (!(to > from)) return;
      const mark = element("div", { class: k % 2 === 0 ? "td-even" : "td-odd" });
      mark.style.left = `${100 * from}%`;
      mark.style.width = `${100 * (to - from)}%`;
      this.marks.append(mark);
    });
  }

  /** Shows the clock's time and state. */
  update(): void {
    const { time, start, end, playing, clinging, speed } = this.timeline;
    const running = playing || clinging;
    if (running !== this.playing) {
      this.playing = running;
      this.playButton.replaceChildren(icon(running ? PAUSE : PLAY));
      this.playButton.setAttribute("aria-label", running ? "Pause" : "Play");
    }
    const text = time.toFixed(this.digits);
    setText(this.now, text);
    const part = end > start ? (time - start) / (end - start) : 0;
    this.slider.value = String(Math.round(TICKS * part));
    this.slider.style.setProperty("--part", `${(100 * part).toFixed(2)}%`);
    if (!playing) this.slider.setAttribute("aria-valuetext", `${text} s`);
    if (Number(this.speedSelect.value) !== speed) this.speedSelect.value = String(speed);
    this.liveButton.setAttribute("aria-pressed", String(clinging));
  }
}
