// Numbers for people, as the program prints them in tables.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function raise(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join("");
  return exponent < 0 ? `⁻${digits}` : digits;
}

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

/** Labels of an axis: as many decimals as tell neighbours apart, one power of ten for all if they are tiny or huge. */
export function ticks(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0] ?? 1);
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest === 0 || step === 0) return values.map((value) => number(value, 3));
  const power = Math.floor(Math.log10(largest));
  const scale = power < -3 || power > 5 ? power : 0;
  const decimals = Math.min(12, Math.max(0, Math.ceil(scale - Math.log10(step) - 1e-9)));
  return values.map((value) => {
    const text = (Math.abs(value) / 10 ** scale).toFixed(decimals);
    const sign = value < 0 && Number(text) !== 0 ? "−" : "";
    return sign + text + (scale === 0 || value === 0 ? "" : `×10${raise(scale)}`);
  });
}
