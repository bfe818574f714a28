// The replay as a whole: clock, picture, plot and controls of one run, in one element. It draws when something changed, and on every
// animation frame only while it plays.
import { Vector3 } from "three";
import type { Handle } from "./handle";
import { breathe } from "./pace";
import type { Frames } from "./replay/decode";
import type { Scene } from "./replay/format";
import type { Series } from "./replay/series";
import { FrameClock } from "./replay/stats";
import { SPEEDS, Timeline, locate, type Place } from "./replay/timeline";
import { changeScale, pressureScale } from "./scene/colour";
import { Picture } from "./scene/picture";
import { DARK, LIGHT } from "./scene/theme";
import { Toolbox } from "./toolbox";
import { element } from "./ui/dom";
import { listenToKeys } from "./ui/keys";
import { ArrowLegend, ScaleLegend } from "./ui/legend";
import { Notes } from "./ui/notes";
import { HIDDEN_AT_FIRST, Panel, type Layer } from "./ui/panel";
import { pickingOn } from "./ui/picking";
import { Plot } from "./ui/plot";
import { PlotChoice } from "./ui/plotChoice";
import { Transport } from "./ui/transport";
import "./ui/replay.css";

export class Player {
  readonly root: HTMLElement;
  private readonly timeline = new Timeline();
  private readonly picture: Picture;
  private readonly transport: Transport;
  private readonly panel: Panel;
  private readonly plot: Plot;
  private readonly changeLegend = new ScaleLegend("Change of height", "mm");
  private readonly pressureLegend = new ScaleLegend("Pressure", "kPa");
  private readonly arrowLegend = new ArrowLegend();
  private readonly choice: PlotChoice;
  private readonly notes = new Notes();
  private readonly toolbox: Toolbox;
  private readonly place: Place = { index: 0, fraction: 0 };
  private readonly clock = new FrameClock();
  private readonly dark = window.matchMedia("(prefers-color-scheme: dark)");
  private scheduled = false;
  private lastTick = 0;
  private picked: number | null = null;
  private followChosen = false;
  loadMs = 0;
  /** Is given every time that is shown. */
  shownTime: ((time: number) => void) | null = null;

  constructor(
    host: HTMLElement,
    private readonly scene: Scene,
    private readonly frames: Frames,
    series: Series,
    private readonly options: { embedded: boolean; beside?: (player: Player) => void },
  ) {
    const view = element("div", { class: "td-scene" });
    this.transport = new Transport(this.timeline, scene.phases, {
      toggle: () => this.toggle(),
      seek: (time) => this.seek(time),
      step: (by) => this.step(by),
      speed: (factor) => this.setSpeed(factor),
      followEnd: () => this.followEnd(),
    });
    const layers = new Set<Layer>(["forces"]);
    if (scene.contacts.length === 0) layers.delete("forces");
    if (scene.ground?.kind === "soil") layers.add("soil").add("pressure");
    if (scene.forms.some((form) => form.contact)) layers.add("contact").add("wire");
    this.panel = new Panel(scene, series.columns, {
      pick: (body) => this.pick(body),
      follow: (body) => this.follow(body),
      plot: (name, shown) => (shown ? this.choice.add(name) : this.choice.remove(name)),
      layer: (name, shown) => this.layer(name, shown),
      arrowFactor: (factor) => this.arrowFactor(factor),
      home: () => this.home(),
    }, layers);
    const legends = this.legends(layers);
    this.toolbox = new Toolbox(() => this.picture, {
      scenario: scene.scenario,
      time: () => this.timeline.time,
      drawNow: () => this.drawNow(),
      invalidate: () => this.invalidate(),
      playAll: () => this.playAll(),
      pause: () => this.timeline.pause(),
      followed: (body) => this.follow(body, false),
      picked: () => this.picked,
      beside: options.beside === undefined ? null : () => options.beside?.(this),
    }, scene.contacts.some((contact) => contact.body !== null));
    this.plot = new Plot(scene.phases, (time) => this.seek(time), (name) => this.choice.remove(name));
    this.choice = new PlotChoice(scene, series, this.plot, { plotted: (names) => this.panel.setPlotted(names), problem: (text) => this.note(text) });
    const header = element("header", { class: "td-header" }, element("h1", {}, scene.title || scene.scenario), element("span", { class: "td-scenario" }, scene.scenario));
    this.root = element(
      "div",
      { class: options.embedded ? "td-replay td-embedded" : "td-replay td-page", tabindex: options.embedded ? 0 : null },
      ...(options.embedded ? [] : [header]),
      this.notes.root,
      element(
        "div",
        { class: "td-frame" },
        element(
          "div",
          { class: "td-main" },
          this.panel.layers,
          element("div", { class: "td-stage" }, view, this.toolbox.tools.root, this.toolbox.overlay, legends),
          this.transport.root,
          // Without columns there is nothing to choose from: the panel says where they are.
          ...(series.columns.length > 0 ? [element("div", { class: "td-plot-head" }, this.choice.presets, this.plot.legend), this.plot.root] : []),
        ),
        this.panel.root,
      ),
    );
    host.append(this.root);
    this.picture = new Picture(view, scene, frames, { changed: () => this.invalidate(), covered: () => coveredPart(view, legends) });
    this.picture.stage.canvas.setAttribute("aria-label", `3-D view of ${scene.title || scene.scenario}`);
    this.timeline.extend(frames.start, frames.end, false);
    this.listen(view);
    this.useTheme();
    this.showScales();
    this.choice.start();
    this.extended();
    if (this.picture.travels()) this.followQuietly(this.picture.mainBody);
    if (this.picture.machine.deforms) void this.picture.machine.prepare(breathe).then(() => this.invalidate());
    void this.picture.stage.ready().then(() => this.invalidate());
    for (const note of scene.notes) this.note(note);
    if (frames.damage !== null) this.note(frames.damage);
  }

  private legends(layers: Set<Layer>): HTMLElement {
    const shown: HTMLElement[] = [];
    if (layers.has("soil")) shown.push(this.changeLegend.root, this.pressureLegend.root);
    if (layers.has("forces")) shown.push(this.arrowLegend.root);
    this.changeLegend.root.classList.toggle("td-off", HIDDEN_AT_FIRST.has("soil"));
    return element("div", { class: "td-legends" }, ...shown);
  }

  private listen(view: HTMLElement): void {
    this.dark.addEventListener("change", () => this.useTheme());
    new ResizeObserver(() => {
      if (this.picture.resize()) this.drawNow();
    }).observe(view);
    pickingOn(this.picture, (body) => this.pick(body), (x, y) => this.toolbox.point(x, y));
    listenToKeys(this.options.embedded ? this.root : document, {
      toggle: () => this.toggle(),
      step: (by) => this.step(by),
      faster: (by) => this.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(this.timeline.speed) + by, 0), SPEEDS.length - 1)]),
      ends: (last) => this.seek(last ? this.timeline.end : this.timeline.start),
      letGo: () => this.pick(null),
      view: (name) => this.toolbox.view(name),
      measure: () => this.toolbox.measure(),
      savePicture: () => void this.toolbox.savePicture(),
      zoom: (notches) => this.toolbox.zoom(notches),
      turn: (by) => this.toolbox.turn(by),
    });
    // A canvas is printed as it was last drawn only if that was in the same task.
    window.addEventListener("beforeprint", () => this.drawNow());
  }

  private useTheme(): void {
    const theme = this.dark.matches ? DARK : LIGHT;
    this.picture.use(theme);
    this.plot.use(theme.dark);
    this.showScales();
    this.invalidate();
  }

  private showScales(): void {
    const change = 1e3 * (this.picture.changeRange || 0.01);
    const pressure = 1e-3 * (this.picture.pressureRange || 1e4);
    this.changeLegend.set(changeScale((this.dark.matches ? DARK : LIGHT).ground), [-change, 0, change]);
    this.pressureLegend.set(pressureScale, [0, pressure / 2, pressure]);
    this.arrowLegend.set(this.picture.arrows.metresPerNewton);
  }

  // What the user may do.

  private toggle(): void {
    if (this.timeline.playing || this.timeline.clinging) this.timeline.pause();
    else this.timeline.play();
    this.lastTick = 0;
    this.invalidate();
  }

  seek(time: number): void {
    this.timeline.seek(time);
    this.invalidate();
  }

  private step(by: number): void {
    const { times, count } = this.frames;
    if (count === 0) return;
    locate(times.data, count, this.timeline.time, this.place);
    // From between two frames a step back goes to the frame before, a step ahead to the next.
    const from = by < 0 && this.place.fraction > 1e-6 ? this.place.index + 1 : this.place.index;
    this.timeline.pause();
    this.seek(times.data[Math.min(Math.max(from + by, 0), count - 1)]);
  }

  get time(): number {
    return this.timeline.time;
  }

  private playAll(): void {
    this.seek(this.timeline.start);
    this.timeline.play();
    this.lastTick = 0;
    this.invalidate();
  }

  private setSpeed(factor: number): void {
    this.timeline.speed = factor;
    this.invalidate();
  }

  /** Shows the newest frame of a run in progress from now on. */
  followEnd(): void {
    this.timeline.cling();
    this.invalidate();
  }

  private home(): void {
    this.picture.home();
    this.invalidate();
  }

  private layer(name: Layer, shown: boolean): void {
    if (name === "soil") this.picture.shadeSoil(shown);
    if (name === "contact") this.picture.machine.showContact(shown);
    if (name === "wire") this.picture.machine.showWire(shown);
    if (name === "forces") this.picture.arrows.root.visible = shown;
    if (name === "pressure" && this.picture.pressure !== null) {
      this.picture.pressure.mesh.visible = shown;
      this.picture.pressure.reset();
    }
    const legend = { soil: this.changeLegend, pressure: this.pressureLegend, forces: this.arrowLegend, contact: null, wire: null }[name];
    legend?.root.classList.toggle("td-off", !shown);
    this.invalidate();
  }

  private arrowFactor(factor: number): void {
    this.picture.arrows.setFactor(factor);
    this.showScales();
    this.invalidate();
  }

  /** Picks a body: it lights up, its columns are listed and the first of them plotted. */
  private pick(body: number | null): void {
    this.picked = body;
    this.picture.machine.pick(body);
    this.panel.setPicked(body);
    this.choice.picked(body);
    this.invalidate();
  }

  private follow(body: number | null, centred = true): void {
    this.followChosen = true;
    this.picture.follow(body, centred);
    this.panel.setFollowing(body);
    this.invalidate();
  }

  private followQuietly(body: number | null): void {
    this.picture.follow(body, false);
    this.panel.setFollowing(body);
  }

  // Data and drawing.

  /** Frames were added, or the run ended. */
  extend(live: boolean): void {
    const wasLive = this.timeline.live;
    this.timeline.extend(this.frames.start, this.frames.end, live);
    if (live && !wasLive) this.timeline.cling();
    locate(this.frames.times.data, this.frames.count, this.timeline.time, this.place);
    this.picture.machine.update(this.place);
    this.picture.extend();
    if (!this.followChosen && this.picture.following === null && this.picture.travels()) this.followQuietly(this.picture.mainBody);
    if (this.frames.damage !== null) this.note(this.frames.damage);
    this.extended();
  }

  /** Ends of scales and lengths of arrows from all that is known now. */
  rescale(): void {
    this.picture.rescale();
    this.showScales();
    this.invalidate();
  }

  private extended(): void {
    this.transport.extended();
    // The plot of a run in progress has room for what is to come.
    const end = this.timeline.live || this.frames.count === 0 ? Math.max(this.timeline.end, this.scene.duration_s) : this.timeline.end;
    this.plot.setSpan(this.timeline.start, end > this.timeline.start ? end : this.timeline.start + 1);
    this.invalidate();
  }

  /** More rows of a run in progress: draws them. */
  refreshPlot(): Promise<void> {
    return this.choice.load();
  }

  /** Tells the user something that is missing or wrong; once. */
  note(text: string): void {
    this.notes.add(text);
  }

  private invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(this.draw);
  }

  private drawNow(): void {
    this.show();
    this.picture.stage.render();
  }

  private show(): void {
    const { frames, timeline, place } = this;
    locate(frames.times.data, frames.count, timeline.time, place);
    this.picture.update(place);
    this.transport.update();
    this.plot.setTime(timeline.time, timeline.playing);
    this.shownTime?.(timeline.time);
  }

  private readonly draw = (now: number): void => {
    this.scheduled = false;
    const begin = performance.now();
    const playing = this.timeline.playing;
    if (playing) this.timeline.tick(this.lastTick > 0 ? (now - this.lastTick) / 1000 : 0);
    this.lastTick = playing ? now : 0;
    this.show();
    const prepared = performance.now();
    this.picture.stage.render();
    const drawn = performance.now();
    if (playing) this.clock.add(prepared - begin, drawn - prepared);
    this.toolbox.drawn();
    if (this.timeline.playing) this.invalidate();
    else if (playing) {
      this.plot.readout();
      void this.toolbox.endFilm();
    }
  };

  handle(): Handle {
    const name = (body: number | null) => (body === null ? null : this.scene.bodies[body]);
    return {
      state: () => ({
        time: this.timeline.time,
        start: this.timeline.start,
        end: this.timeline.end,
        playing: this.timeline.playing,
        speed: this.timeline.speed,
        frames: this.frames.count,
        live: this.timeline.live,
        clinging: this.timeline.clinging,
        bodies: [...this.scene.bodies],
        picked: name(this.picked),
        following: name(this.picture.following),
        plotted: [...this.choice.plotted],
        loadMs: this.loadMs,
        target: this.picture.stage.controls.target.toArray() as [number, number, number],
        notes: [...this.notes.texts],
      }),
      seek: (time) => this.seek(time),
      play: () => {
        if (!this.timeline.playing && !this.timeline.clinging) this.toggle();
      },
      pause: () => {
        if (this.timeline.playing || this.timeline.clinging) this.toggle();
      },
      speed: (factor) => this.setSpeed(factor),
      frameStats: () => this.clock.stats(),
      resetStats: () => this.clock.reset(),
      project: (body) => {
        const index = this.scene.bodies.indexOf(body);
        if (index < 0) return null;
        this.picture.stage.world.updateMatrixWorld(true);
        return this.picture.stage.project(this.picture.machine.centre(index, new Vector3()));
      },
    };
  }
}

/** Part of a picture's height that something over its lower edge covers. */
function coveredPart(picture: HTMLElement, over: HTMLElement): number {
  const area = picture.getBoundingClientRect();
  const { top, height } = over.getBoundingClientRect();
  return height > 0 && area.height > 0 ? Math.max(0, area.bottom - top) / area.height : 0;
}
