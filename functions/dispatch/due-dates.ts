import { callOrThrow } from "./call.ts";
import type { BatchResult, WorkContext } from "./endpoint-work.ts";

/** Records that one call closes, archives or opens at most, of each kind and dataset. */
export const dueDatesBatchSize = 500;
/** Time between two looks for dates that have come, in milliseconds. */
export const dueDatesMs = 10_000;

/** Lets dates act that have come, one batch: records close after their deadlines, leave the catalogue on their archive date, and open when posted. */
export async function applyDueDates({ database }: Pick<WorkContext, "database">): Promise<BatchResult> {
  const { has_more } = await callOrThrow(database, "apply_due_dates", { maximum: dueDatesBatchSize });
  return { found: has_more ? 1 : 0, made: 0 };
}
