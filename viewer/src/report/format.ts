// Numbers for people, as the program prints them in tables.

import { raise } from "../ticks";

/** A number with so many significant digits, a power of ten only where it helps. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const sign = x < 0 ? "−" : "";
  if (size < 1e-4 || size >= 1e7) {
    const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
    return `${sign}${Number(mantissa)}×10${raise(Number(exponent))}`;
  }
  const decimals = Math.min(12, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  return sign + size.toFixed(decimals);
}
