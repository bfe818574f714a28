// Colours of charts, from the page's style sheet, so that light, dark and paper each have their own. The lines' colours are those of Okabe
// and Ito, told apart also by colour-blind eyes; beyond them lines are dashed.

export interface Colours {
  text: string;
  faint: string;
  grid: string;
  phase: string;
  lines: string[];
}

const LINES = 7;
/** Dashes of the first seven lines, the next seven, and so on, CSS pixels. */
const DASHES: (number[] | undefined)[] = [undefined, [6, 3], [2, 2], [8, 3, 2, 3]];

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
export const lineDash = (n: number): number[] | undefined => DASHES[Math.floor(n / LINES) % DASHES.length];
