/** One line of the result. Field names are those of the JSON file. */
export interface SpeedRow {
  case: string;
  side: string;
  /** Grants in the database. */
  rows: number;
  p50_ms: number;
  p95_ms: number;
  requests_per_second: number;
  /** What it means is the case's own: see `ratioMeaning`. Null where there is nothing to compare with. */
  ratio: number | null;
}

/** What a side took, over all rounds. */
export interface Timing {
  p50_ms: number;
  p95_ms: number;
  requests_per_second: number;
}

/** A row as it is printed: figures with as many digits as they deserve. */
export function speedRow(
  name: string,
  side: string,
  rows: number,
  { p50_ms, p95_ms, requests_per_second }: Timing,
  ratio: number | null,
): SpeedRow {
  return {
    case: name,
    side,
    rows,
    p50_ms: rounded(p50_ms, 2),
    p95_ms: rounded(p95_ms, 2),
    requests_per_second: rounded(requests_per_second, 1),
    ratio: ratio === null ? null : rounded(ratio, 2),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
