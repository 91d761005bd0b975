import type { SpeedRow } from "./row.ts";

/** What a row's ratio is to be, as issue 3 asks it. */
interface Target {
  case: string;
  side: RegExp;
  least?: number;
  most?: number;
}

const targets: readonly Target[] = [
  { case: "list", side: /^api(, new lists)?$/, least: 1 },
  { case: "list_counted", side: /^api(, new lists)?$/, least: 10 },
  { case: "hybrid", side: /^ours, common/, least: 10 },
  { case: "hybrid", side: /^ours, (middling|rare)/, least: 1 },
  { case: "modes", side: /^new hybrid$/, most: 3 },
  { case: "modes_again", side: /^hybrid$/, most: 3 },
  { case: "libraries", side: /^ours, hybrid$/, least: 1 },
  { case: "growth", side: /^(new )?((keyword )?list|hybrid)$/, most: 2 },
];

/** The row as it is printed, with its target and whether it is met; both empty where there is none. */
export function withTarget(row: SpeedRow): SpeedRow & { target: string; met: string } {
  const target = targets.find((known) => known.case === row.case && known.side.test(row.side));
  if (target === undefined || row.ratio === null) return { ...row, target: "", met: "" };
  const { least, most } = target;
  const isMet = (least === undefined || row.ratio >= least) && (most === undefined || row.ratio <= most);
  return { ...row, target: least === undefined ? `at most ${most}` : `at least ${least}`, met: isMet ? "yes" : "NO" };
}
