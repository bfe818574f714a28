// The data inside a report; FORMAT.md, "Inside a report".
import type { Figures } from "../replay/format";

/** The content of a data element; null where it is not there or not what it should be. */
export function readFigures(root: Document): Figures | null {
  const text = root.getElementById("figures")?.textContent;
  if (!text) return null;
  const data = JSON.parse(text) as Figures;
  return Array.isArray(data.figures) ? data : null;
}
