// What the tools do to a picture: views, measuring, pictures and films, the scale bar.
import type { Picture } from "./scene/picture";
import { element, setText } from "./ui/dom";
import { Film, canFilm, fileName, picture as pngOf, save } from "./ui/export";
import { ScaleBar, lengthText } from "./ui/scaleBar";
import { Tools, type View } from "./ui/tools";

const TURN = Math.PI / 24;
const ZOOM = 1.2;

export interface Page {
  scenario: string;
  time(): number;
  /** Draws what is shown now, in this task. */
  drawNow(): void;
  invalidate(): void;
  /** Plays from the start. */
  playAll(): void;
  pause(): void;
  followed(body: number | null): void;
  picked(): number | null;
  /** Opens another run beside this one, where that can be done. */
  beside: (() => void) | null;
}

export class Toolbox {
  readonly tools: Tools;
  private readonly scale = new ScaleBar();
  private readonly reading = element("output", { class: "td-measured", hidden: true });
  readonly overlay = element("div", { class: "td-overlay" }, this.reading, this.scale.root);
  private measuring = false;
  private film: Film | null = null;
  private lastWheel = -1;

  constructor(private readonly picture: () => Picture, private readonly page: Page, wheel: boolean) {
    this.tools = new Tools(
      {
        view: (name) => this.view(name),
        measure: (on) => this.measure(on),
        savePicture: () => void this.savePicture(),
        film: () => void this.toggleFilm(),
        beside: () => this.page.beside?.(),
      },
      { wheel, film: canFilm(), beside: page.beside !== null },
    );
  }

  view(name: View): void {
    const picture = this.picture();
    if (name === "home") picture.home();
    else if (name === "wheel") this.closeUp();
    else picture.view(name);
    this.page.invalidate();
  }

  /** Looks at the picked body, or at the next of those that touch. */
  private closeUp(): void {
    const { wheels } = this.picture();
    const picked = this.page.picked();
    if (picked === null && wheels.length === 0) return;
    this.lastWheel = (this.lastWheel + 1) % Math.max(wheels.length, 1);
    const body = picked ?? wheels[this.lastWheel];
    this.picture().closeUp(body);
    this.page.followed(body);
  }

  measure(on = !this.measuring): void {
    this.measuring = on;
    this.picture().measure.clear();
    this.tools.setMeasuring(on);
    this.picture().stage.canvas.classList.toggle("td-measuring", on);
    this.showMeasured();
    this.page.invalidate();
  }

  /** Takes a click while measuring. */
  point(x: number, y: number): boolean {
    if (!this.measuring) return false;
    const picture = this.picture();
    const found = picture.probe.point(picture.stage.rayAt(x, y));
    if (found !== null) picture.measure.add(found);
    this.showMeasured();
    this.page.invalidate();
    return true;
  }

  private showMeasured(): void {
    const { measure } = this.picture();
    const d = measure.difference();
    this.reading.hidden = !this.measuring;
    const level = d === null ? "" : `, level ${lengthText(Math.hypot(d.x, d.y))}, height ${d.z < 0 ? "−" : ""}${lengthText(Math.abs(d.z))}`;
    setText(this.reading, d !== null ? `Distance ${lengthText(d.length())}${level}` : measure.points.length === 1 ? "Click the second point" : "Click the first point");
  }

  async savePicture(): Promise<void> {
    this.page.drawNow();
    const png = await pngOf(this.picture().stage.canvas);
    if (png !== null) save(png, fileName(this.page.scenario, this.page.time(), "png"));
  }

  private async toggleFilm(): Promise<void> {
    if (this.film !== null) return this.endFilm();
    if (!canFilm()) return;
    this.film = new Film(this.picture().stage.canvas);
    this.tools.setFilming(true);
    this.page.playAll();
  }

  /** Saves the film in progress. */
  async endFilm(): Promise<void> {
    const film = this.film;
    if (film === null) return;
    this.film = null;
    this.tools.setFilming(false);
    this.page.pause();
    save(await film.stop(), fileName(this.page.scenario, this.page.time(), "webm"));
  }

  zoom(notches: number): void {
    this.picture().stage.dolly(ZOOM ** notches);
    this.page.invalidate();
  }

  turn(by: number): void {
    this.picture().stage.turn(TURN * by);
    this.page.invalidate();
  }

  /** Something was drawn. */
  drawn(): void {
    this.scale.set(this.picture().stage.metresPerPixel());
  }
}
