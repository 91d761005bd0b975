import type { SpeedRow } from "./row.ts";

/** The ratio that a row should reach (docs/performance.md, "Targets"). */
interface Target {
  case: string;
  side: RegExp;
  minimum?: number;
  maximum?: number;
}

const targets: readonly Target[] = [
  { case: "list", side: /^api(, new lists)?$/, minimum: 1 },
  { case: "list_counted", side: /^api(, new lists)?$/, minimum: 10 },
  { case: "list_several", side: /^several/, maximum: 1.5 },
  { case: "hybrid", side: /^ours, common/, minimum: 10 },
  { case: "hybrid", side: /^ours, (middling|rare)/, minimum: 1 },
  { case: "modes", side: /^new hybrid$/, maximum: 3 },
  { case: "modes_again", side: /^hybrid$/, maximum: 3 },
  { case: "quota", side: /^with a quota$/, minimum: 0.9 },
  { case: "neighbour", side: /^beside/, maximum: 2 },
  { case: "libraries", side: /^ours, hybrid$/, minimum: 1 },
  { case: "churn", side: /./, maximum: 1.3 },
  { case: "churn_median", side: /./, maximum: 1.3 },
  { case: "embedded_churn", side: /./, maximum: 1.3 },
  { case: "embedded_churn_median", side: /./, maximum: 1.3 },
  { case: "replicas", side: /with a quota$/, maximum: 0.15 },
  { case: "replicas", side: /./, maximum: 0.05 },
  { case: "regions", side: /^(?!.*with a quota)/, maximum: 1.2 },
  { case: "awards", side: /, with$/, maximum: 1.3 },
  { case: "embeddings", side: /, embedding$/, maximum: 2 },
  { case: "documents", side: / in all,/, maximum: 1.5 },
  { case: "growth", side: /^(new )?((keyword )?list|hybrid)$/, maximum: 2 },
];

/** Adds to a row its target and whether that is met. Both are empty if it has none. */
export function withTarget(row: SpeedRow): SpeedRow & { target: string; met: string } {
  const target = targets.find((known) => known.case === row.case && known.side.test(row.side));
  if (target === undefined || row.ratio === null) return { ...row, target: "", met: "" };
  const { minimum, maximum } = target;
  const isMet = (minimum === undefined || row.ratio >= minimum) && (maximum === undefined || row.ratio <= maximum);
  return {
    ...row,
    target: minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`,
    met: isMet ? "yes" : "NO",
  };
}
