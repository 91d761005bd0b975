import { keyOf, lineOf } from "./value.ts";

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
 * Whether money was already given ("Award Notice", "awarded_project"); every other type of notice,
 * an intent to award included, is an opportunity.
 */
export function classificationOf(value: unknown): "opportunity" | "awarded_project" {
  return awarded.has(keyOf(lineOf(value))) ? "awarded_project" : "opportunity";
}
