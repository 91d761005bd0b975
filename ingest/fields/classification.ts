import { toKey, toLine } from "./value.ts";

const awarded = new Set([
  "award",
  "awarded",
  "awardnotice",
  "awardedproject",
  "awardedcontract",
  "awardedgrant",
  "contractaward",
  "contractawardnotice",
  "grantaward",
  "noticeofaward",
]);

/**
 * Reads a type of notice: `awarded_project` if the money has been given ("Award Notice", "awarded_project"), else
 * `opportunity`, also for an intent to award.
 */
export function parseClassification(value: unknown): "opportunity" | "awarded_project" {
  return awarded.has(toKey(toLine(value))) ? "awarded_project" : "opportunity";
}
