import type { SpeedRow } from "./row.ts";

/** The ratio that a row should reach (docs/performance.md, "Targets"), or a figure. */
export interface Target {
  case: string;
  side: RegExp;
  minimum?: number;
  maximum?: number;
  /** Its line in the summary, if it has one: what is measured, with the unit. */
  what?: string;
}

export const targets: readonly Target[] = [
  { case: "list", side: /^api$/, minimum: 1, what: "repeated lists a second, over raw PostgREST's" },
  {
    case: "list",
    side: /^api, with a quota$/,
    minimum: 1,
    what: "repeated lists a second with a quota, over raw PostgREST's",
  },
  { case: "list", side: /^api, new lists$/, minimum: 1, what: "new lists a second, over raw PostgREST's" },
  {
    case: "list_counted",
    side: /^api$/,
    minimum: 10,
    what: "repeated lists a second, over PostgREST's with count=exact",
  },
  {
    case: "list_counted",
    side: /^api, new lists$/,
    minimum: 4,
    what: "new lists a second, over PostgREST's with count=exact",
  },
  { case: "list_several", side: /^several/, maximum: 1.5 },
  {
    case: "hybrid",
    side: /^ours/,
    minimum: 25,
    what: "new hybrid searches, SQL alone, p95 of the guide's function over theirs",
  },
  { case: "modes", side: /^new hybrid$/, maximum: 3, what: "new hybrid searches, p95 to that of a keyword list" },
  { case: "modes_again", side: /^hybrid$/, maximum: 3 },
  {
    case: "quota",
    side: /^with a quota$/,
    minimum: 0.9,
    what: "new hybrid searches a second, with a quota to without",
  },
  { case: "neighbour", side: /^beside/, maximum: 2, what: "p95 beside 64 requests of another account, to that alone" },
  {
    case: "embedded_neighbour",
    side: /^beside/,
    maximum: 2,
    what: "npm start, p95 beside 64 requests of another account",
  },
  { case: "libraries", side: /^ours, hybrid$/, minimum: 1, what: "hybrid searches, p95 of LanceDB over theirs" },
  {
    case: "libraries",
    side: /^ours, (keyword|vector)$/,
    minimum: 0.83,
    what: "keyword or semantic searches, p95 of LanceDB over theirs",
  },
  { case: "churn", side: /./, maximum: 1.3, what: "p95 after up to 40,000 changes, and while 20 a second are written" },
  { case: "churn_median", side: /./, maximum: 1.3 },
  { case: "embedded_churn", side: /./, maximum: 1.3 },
  { case: "embedded_churn_median", side: /./, maximum: 1.3 },
  { case: "replicas", side: /with a quota$/, maximum: 0.15 },
  { case: "replicas", side: /./, maximum: 0.05 },
  { case: "regions", side: /^(?!.*with a quota)/, maximum: 1.2 },
  { case: "awards", side: /, with$/, maximum: 1.3 },
  { case: "embeddings", side: /, embedding$/, maximum: 2 },
  { case: "documents", side: / in all,/, maximum: 1.5 },
  {
    case: "growth",
    side: /^(new )?((keyword )?list|hybrid)$/,
    maximum: 2,
    what: "p95 with ten times the records: lists, keyword lists, hybrid searches",
  },
  {
    case: "fixed_cost",
    side: /^new hybrid$/,
    maximum: 0.5,
    what: "new hybrid searches, p50 with a tenth of the records, to that with all",
  },
  {
    case: "embedded_memory",
    side: /^after the start$/,
    maximum: 400,
    what: "npm start, MiB of memory after its start",
  },
  {
    case: "pages",
    side: /./,
    maximum: 200,
    what: "dashboard, KB of the largest page's HTML, scripts and styles, brotli",
  },
];

/** Adds to a row its target and whether that is met. Both are empty if it has none. */
export function withTarget(row: SpeedRow): SpeedRow & { target: string; met: string } {
  const target = targets.find((known) => known.case === row.case && known.side.test(row.side));
  if (target === undefined || row.ratio === null) return { ...row, target: "", met: "" };
  return { ...row, target: targetText(target), met: isMet(target, row.ratio) ? "yes" : "NO" };
}

/** "at least 4", "at most 2". */
export function targetText({ minimum, maximum }: Target): string {
  return minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`;
}

export function isMet({ minimum, maximum }: Target, value: number): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}
