import { expect } from "vitest";

/** The fields that a list can be sorted by. A record may lack some. */
interface Sortable {
  id: string;
  created_at: string;
  deadline_date?: string | null;
  amount_min?: number | null;
  amount_max?: number | null;
  title?: string;
  name?: string;
  relevance_score?: number;
}

const keyOf: Record<string, (record: Sortable) => string | number | null | undefined> = {
  created_at: (record) => Date.parse(record.created_at),
  deadline_date: (record) => record.deadline_date,
  amount_min: (record) => record.amount_min,
  amount_max: (record) => record.amount_max,
  title: (record) => record.title,
  name: (record) => record.name,
  relevance: (record) => record.relevance_score,
};

/**
 * Holds records to an order: by the field, records without it last in both directions, and equal
 * ones by id, all in one direction.
 */
export function expectOrder(records: readonly Sortable[], sort_by: string, order: string): void {
  const key = keyOf[sort_by];
  if (key === undefined) throw new Error(`the contract has no sort_by=${sort_by}`);
  const violations: string[] = [];
  const tieDirections = new Set<string>();

  records.slice(1).forEach((record, index) => {
    const previous = records[index];
    if (previous === undefined) return;
    const [before, after] = [key(previous) ?? null, key(record) ?? null];
    const shown = `${previous.id} (${before}) then ${record.id} (${after})`;
    if (before === after) tieDirections.add(previous.id < record.id ? "asc" : "desc");
    else if (before === null) violations.push(`null not last: ${shown}`);
    else if (after !== null && compare(before, after) * (order === "desc" ? -1 : 1) > 0) violations.push(shown);
  });
  expect(violations).toEqual([]);
  expect(tieDirections.size, `ties go ${[...tieDirections].join(" and ")} by id`).toBeLessThanOrEqual(1);
}

/**
 * Compares numbers and dates, and other text by first characters alone, without case, and only where both are
 * letters or both digits: what follows is the collation's to say, and the contract names none.
 */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const texts = [one, other].map(String);
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))) return one < other ? -1 : 1;
  const [first = "", second = ""] = texts.map((text) => text.slice(0, 1).toLowerCase());
  const areAlike = [/[a-z]/, /\d/].some((kind) => kind.test(first) && kind.test(second));
  return areAlike ? first.charCodeAt(0) - second.charCodeAt(0) : 0;
}
