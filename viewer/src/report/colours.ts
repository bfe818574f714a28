// Colours of charts, from the page's style sheet, so that light, dark and paper each have their own. The lines' colours are those of Okabe
// and Ito, distinguishable for colour-blind eyes. Every other line is dashed: left and right wheels often lie on top of each other, and the
// lower one shows through the gaps; on grey paper it tells neighbours apart.

export interface Colours {
  text: string;
  faint: string;
  grid: string;
  phase: string;
  lines: string[];
}

const LINES = 7;
/** Dashes of every other line, longer for the first seven lines than for the next, CSS pixels. */
const DASHES = [[9, 4], [2, 3], [9, 3, 2, 3]];

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim() || "#888";
  return {
    text: colour("--text"),
    faint: colour("--faint"),
    grid: colour("--grid"),
    phase: colour("--phase"),
    lines: Array.from({ length: LINES }, (_, n) => colour(`--line-${n + 1}`)),
  };
}

export const lineColour = (colours: Colours, n: number): string => colours.lines[n % LINES];
export const lineDash = (n: number): number[] | undefined =>
  n % 2 === 0 && n < LINES ? undefined : DASHES[Math.floor(n / LINES) % DASHES.length];
