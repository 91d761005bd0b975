import type { FunderRecord } from "../../../ingest/record.ts";
import { type Day, momentIn } from "../calendar.ts";
import { Random } from "../random.ts";
import { funderAt } from "./funder-list.ts";
import { summaryOf } from "./summary.ts";

/** Funder record number `index`. */
export function funderRecord(seed: number, today: Day, index: number): FunderRecord {
  const funder = funderAt(seed, index);
  const random = new Random(seed, "funders", index);
  const listed = today - random.integer(1, 1090);
  return {
    source: "demo",
    source_id: funder.sourceId,
    name: funder.name,
    summary: random.chance(0.12) ? null : summaryOf(funder, random),
    website: random.chance(0.15) ? null : `https://www.${funder.host}`,
    created_at: momentIn(listed, 8, 23, random),
  };
}
