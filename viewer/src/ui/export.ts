// Pictures and films of the scene, made by the browser and saved as files.

/** Frames of a film in a second, and its size in bits for each. */
const RATE = 30;
const BITS_PER_SECOND = 8e6;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** Hands a file to the user. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name that every file system takes. */
export const fileName = (scenario: string, time: number, ending: string): string =>
  `${scenario.replace(/[^\w.-]+/g, "-") || "run"}-${time.toFixed(2)}s.${ending}`;

/** The canvas as it was drawn in this task, as PNG. */
export function picture(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Whether this browser can make films. */
export const canFilm = (): boolean => typeof MediaRecorder !== "undefined" && TYPES.some((type) => MediaRecorder.isTypeSupported(type));

/** A film of what is drawn on the canvas from now on, until it is stopped. */
export class Film {
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];

  constructor(canvas: HTMLCanvasElement) {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    this.recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType, videoBitsPerSecond: BITS_PER_SECOND });
    this.recorder.addEventListener("dataavailable", ({ data }) => {
      if (data.size > 0) this.parts.push(data);
    });
    this.recorder.start(1000);
  }

  stop(): Promise<Blob> {
    return new Promise((done) => {
      this.recorder.addEventListener("stop", () => done(new Blob(this.parts, { type: "video/webm" })), { once: true });
      this.recorder.stop();
    });
  }
}
