import { grantList } from "../../shared/validation/opportunities.ts";
import { readQuery } from "../../shared/validation/query.ts";

/** What the function makes of a query string and hands to the database. */
export function parametersOf(query: string): object {
  const read = readQuery(query, grantList);
  if (!read.ok) throw new Error(`${query}: ${read.problem.detail}`);
  return read.value;
}
