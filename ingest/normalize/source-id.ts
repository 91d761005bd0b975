import { createHash } from "node:crypto";

/**
 * Derives an identifier for a record whose source gives none: a hash of the parts that distinguish it from others. It is
 * the same in every run, and changes when one of the parts changes.
 */
export function deriveSourceId(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
