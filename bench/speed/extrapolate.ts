import { round } from "../statistics.ts";

/** Times of a mode at a number of records. */
export interface SizeTiming {
  rows: number;
  p50_ms: number;
  p95_ms: number;
}

/** A line of the table of computed times. */
export interface ComputedLine {
  mode: string;
  rows: number;
  /** Exponents of p50 and p95 between the two sizes that the line is computed from. */
  exponents: string;
  /** p50 and p95 in milliseconds, as the exponents have it. */
  by_exponent_ms: string;
  /** p50 and p95 in milliseconds, as a fixed part and one for each record have it. */
  by_line_ms: string;
  /** p50 and p95 that were measured there; empty where nothing was. */
  measured_ms: string;
}

/** Exponent by which a time grows from one number of records to another: 0 not at all, 1 as the records do. */
export function growthExponent(smaller: [rows: number, ms: number], larger: [rows: number, ms: number]): number {
  return Math.log(larger[1] / smaller[1]) / Math.log(larger[0] / smaller[0]);
}

/**
 * Computes a mode's times at ten times the largest of its sizes from the two largest, in two ways: by their exponent, and by the straight line through
 * both. Where there are three sizes, it computes the largest from the two before as well, which tells the way that held so far.
 */
export function computeTenfold(mode: string, timings: readonly SizeTiming[]): ComputedLine[] {
  const sizes = timings.toSorted((one, other) => one.rows - other.rows);
  const [before, smaller, larger] = [sizes.at(-3), sizes.at(-2), sizes.at(-1)];
  if (smaller === undefined || larger === undefined) return [];
  const tenfold = computeLine(mode, smaller, larger, larger.rows * 10);
  if (before === undefined) return [tenfold];
  return [computeLine(mode, before, smaller, larger.rows, larger), tenfold];
}

function computeLine(
  mode: string,
  smaller: SizeTiming,
  larger: SizeTiming,
  rows: number,
  measured?: SizeTiming,
): ComputedLine {
  const figures = (["p50_ms", "p95_ms"] as const).map((figure) => {
    const exponent = growthExponent([smaller.rows, smaller[figure]], [larger.rows, larger[figure]]);
    const msPerRow = (larger[figure] - smaller[figure]) / (larger.rows - smaller.rows);
    // A time that fell is noise: it counts as one that stayed.
    return {
      exponent,
      byExponent: larger[figure] * (rows / larger.rows) ** Math.max(exponent, 0),
      byLine: larger[figure] + Math.max(msPerRow, 0) * (rows - larger.rows),
    };
  });
  const pair = (values: readonly number[], digits: number) => values.map((value) => round(value, digits)).join(" / ");
  return {
    mode,
    rows,
    exponents: pair(
      figures.map(({ exponent }) => exponent),
      2,
    ),
    by_exponent_ms: pair(
      figures.map(({ byExponent }) => byExponent),
      1,
    ),
    by_line_ms: pair(
      figures.map(({ byLine }) => byLine),
      1,
    ),
    measured_ms: measured === undefined ? "" : pair([measured.p50_ms, measured.p95_ms], 1),
  };
}
