import { createHash } from "node:crypto";

/**
 * An identifier for a record whose source gives none: a hash of what tells it from others. The same
 * record has the same one in every run, and another as soon as one of the parts changes.
 */
export function derivedId(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
