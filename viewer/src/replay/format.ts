// What the page is given, as FORMAT.md says it. Everything here comes from files: names may hold anything and numbers may be missing.

export type Triple = [number, number, number];

export interface Column {
  name: string;
  unit: string;
  about: string;
}

export interface Phase {
  label: string;
  from: number;
  to: number;
}

export type Shape =
  | { kind: "box"; size: Triple }
  | { kind: "sphere"; radius: number }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "mesh"; vertices: number[]; triangles: number[] };

export interface Form {
  name: string;
  body: number | null;
  contact: boolean;
  /** It changes: which of the frames' deformations. */
  deforms?: number | null;
  colour: [number, number, number, number];
  position: Triple;
  quaternion: [number, number, number, number];
  shape: Shape;
}

export interface Relief {
  x0: number;
  y0: number;
  spacing: number;
  nx: number;
  ny: number;
  heights: (number | null)[];
}

export type Ground =
  | { kind: "plane"; point: Triple; normal: Triple }
  | { kind: "relief"; relief: Relief }
  | { kind: "soil"; spacing: number; relief: Relief };

export interface Contact {
  name: string;
  body: number | null;
  soil: boolean;
}

export interface Scene {
  format: number;
  scenario: string;
  title: string;
  duration_s: number;
  frames_every_s: number;
  bodies: string[];
  contacts: Contact[];
  forms: Form[];
  ground: Ground | null;
  arrow_m_per_n: number;
  columns: Column[];
  phases: Phase[];
  figures: { title: string; columns: string[] }[];
  notes: string[];
}

export interface FigureLine {
  label: string;
  column: string;
  about: string;
  /** Measured: marks, never joined. */
  measured?: boolean;
  values: (number | null)[];
}

/** Measured or published points, in the units of the axes; errors are half of the bars. */
export interface FigurePoints {
  label: string;
  source: string;
  x: number[];
  y: number[];
  x_error?: number[];
  y_error?: number[];
}

export interface FigureData {
  name: string;
  title: string;
  source: string;
  x: { label: string; unit: string; time: boolean; values: (number | null)[] };
  y: { label: string; unit: string; lines: FigureLine[] };
  points?: FigurePoints[];
}

export interface Figures {
  figures: FigureData[];
  phases: Phase[];
}

const FORMAT = 2;

/** The scene with every list there, or an error in words: a newer program may write another format. */
export function readScene(value: unknown): Scene {
  const given = value as Partial<Scene> | null;
  if (typeof given !== "object" || given === null) throw new Error("the scene is not there");
  if (given.format !== FORMAT) throw new Error(`the scene has format ${String(given.format)}; this page reads format ${FORMAT}`);
  return {
    format: FORMAT,
    scenario: given.scenario ?? "",
    title: given.title ?? given.scenario ?? "",
    duration_s: given.duration_s ?? 0,
    frames_every_s: given.frames_every_s ?? 0,
    bodies: given.bodies ?? [],
    contacts: given.contacts ?? [],
    forms: given.forms ?? [],
    ground: given.ground ?? null,
    arrow_m_per_n: given.arrow_m_per_n ?? 0,
    columns: given.columns ?? [],
    phases: given.phases ?? [],
    figures: given.figures ?? [],
    notes: given.notes ?? [],
  };
}
