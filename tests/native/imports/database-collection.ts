import type pg from "pg";
import { type Collection, createCollection } from "../../../packages/client/src/collection.ts";
import type { Page } from "../../../packages/client/src/types.ts";

type Query = { [parameter: string]: unknown };

/** The client's collection of a dataset, with the list as the database gives it. */
export function databaseCollection<Item extends { id: string }>(
  session: pg.Client,
  dataset: "grants" | "funders",
): Collection<Item, Query> {
  return createCollection<Item, Query>({
    feed: dataset === "funders" ? {} : { opportunity_type: "all", archived_as_ids: true },
    async list(query) {
      const { cursor, ...rest } = query;
      const parameters = {
        offset: 0,
        ...rest,
        ...(cursor === undefined ? {} : { cursor: JSON.parse(String(cursor)) }),
      };
      const { rows } = await session.query("select funding.list($1, $2) as body", [
        dataset,
        JSON.stringify(parameters),
      ]);
      const { results, archived, next, total, last_updated_at } = rows[0].body;
      const pagination = { total, limit: 0, offset: 0, returned: 0, next: next && JSON.stringify(next) };
      const data = { results, archived, pagination, meta: { last_updated_at } } as unknown as Page<Item>;
      return { data, response: new Response() };
    },
    get: () => Promise.reject(new Error("not asked")),
    changes: () => Promise.reject(new Error("not asked")),
  });
}
