import type { Contract, Funder, Grant } from "../../../shared/responses/records.ts";

/** A record of an answer. Each dataset has some of the fields. */
export type AnyRecord = { id: string } & Partial<Omit<Grant & Contract & Funder, "id" | "status">> & {
    status?: string;
    /** Dataset of a result of the semantic search. */
    type?: "grants" | "contracts";
  };

/** Body of a list, or of a semantic search. */
export interface ListBody {
  results: AnyRecord[];
  pagination?: { total: number; offset: number; returned: number; next: string | null };
  facets?: Record<string, { value: unknown; count: number; amount?: number | null }[]>;
}

export function isList(body: unknown): body is ListBody {
  return isObject(body) && Array.isArray(body.results);
}

export function isRecord(body: unknown): body is AnyRecord {
  return isObject(body) && typeof body.id === "string";
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}
