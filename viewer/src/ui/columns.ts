// Which columns belong together and to which body, by their dotted names: `soil.front_left.sinkage_m` belongs to the group
// `soil.front_left` and, through the contact `front_left`, to the wheel it is on.
import type { Column, Scene } from "../replay/format";

export interface ColumnGroup {
  name: string;
  columns: Column[];
}

/** Name without its last part; columns with one part form a group of their own. */
export function groupOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "run" : name.slice(0, dot);
}

/** Last part of a name. */
export function leafOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Name of a body without its machine's. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Columns that can be plotted, by group in their order, of those whose name or meaning has every word of `search`. */
export function groupColumns(columns: Column[], search = ""): ColumnGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const groups = new Map<string, ColumnGroup>();
  for (const column of columns) {
    if (column.name === "time_s") continue;
    const text = `${column.name} ${column.about} ${column.unit}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const name = groupOf(column.name);
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { name, columns: [] }));
    group.columns.push(column);
  }
  return [...groups.values()];
}

/** Columns of a body: those named after it, after a contact on it, then those whose name ends in the contact's. */
export function columnsOfBody(scene: Scene, columns: Column[], body: number): Column[] {
  const own = new Set([scene.bodies[body], bareName(scene.bodies[body])]);
  const contacts = scene.contacts.filter((contact) => contact.body === body).map((contact) => contact.name);
  for (const name of contacts) own.add(name).add(bareName(name));
  const parts = (column: Column) => column.name.split(".").slice(1, -1);
  const close = columns.filter((column) => parts(column).some((part) => own.has(part)));
  const named = contacts.map((name) => `_${bareName(name)}`);
  const related = columns.filter((column) => !close.includes(column) && parts(column).some((part) => named.some((name) => part.endsWith(name))));
  // What the contact does comes before where the body is.
  const rank = (column: Column) => (column.name.startsWith("soil.") || column.name.startsWith("tyre.") ? 0 : 1);
  return [...close].sort((a, b) => rank(a) - rank(b)).concat(related);
}

/** At most `most` columns of the first one's group, of at most two units: what a plot of a body starts with. */
export function firstPlot(columns: Column[], most: number): string[] {
  if (columns.length === 0) return [];
  const group = columns.filter((column) => groupOf(column.name) === groupOf(columns[0].name));
  const units = [...new Set(group.map((column) => column.unit))].slice(0, 2);
  return group.filter((column) => units.includes(column.unit)).slice(0, most).map((column) => column.name);
}

/** A plot has two axes: keeps those of `names` that have the last two units asked for. */
export function keepTwoUnits(names: string[], unitOf: (name: string) => string): string[] {
  const units: string[] = [];
  for (const name of [...names].reverse()) if (!units.includes(unitOf(name))) units.push(unitOf(name));
  const kept = units.slice(0, 2);
  return names.filter((name) => kept.includes(unitOf(name)));
}
