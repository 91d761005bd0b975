import type { Connection } from "../../database/connection.ts";
import { grantList } from "../../shared/validation/opportunities.ts";
import { readQuery } from "../../shared/validation/query.ts";

/** A list request for 20 records, for the API and for PostgREST on the same table. */
export interface ListRequest {
  api: string;
  postgrest: string;
}

/** Published fields, without the funder's name, which is in another table: PostgREST has less to do. */
export const listedColumns =
  "id,title,description,amount_min,amount_max,deadline_date,status,geography,funder_id,listing_url,created_at,categories";

const pageSize = 20;
const newestFirst = "created_at.desc,id.desc";

/** Filters and orders in both languages. PostgREST needs explicit parameters for defaults of the API. */
const requests: [api: string, postgrest: string, order?: string, isAwarded?: boolean][] = [
  ["", ""],
  ["status=posted", "status=in.(open,posted)"],
  ["states=TX", "states=ov.{TX}"],
  ["states=CA,NY", "states=ov.{CA,NY}"],
  ["category=Health", "category_keys=cs.{health}"],
  ["min_amount=100000", "amount_max=gte.100000"],
  ["max_amount=50000", "amount_min=lte.50000"],
  ["deadline_after=2026-12-01", "deadline_date=gt.2026-12-01"],
  [
    "deadline_after=2026-12-01&sort_by=deadline_date&order=asc",
    "deadline_date=gt.2026-12-01",
    "deadline_date.asc.nullslast,id.asc",
  ],
  ["sort_by=amount_max", "", "amount_max.desc.nullslast,id.desc"],
  ["opportunity_type=awarded", "", newestFirst, true],
  ["posted_after=2026-10-01&status=forecasted", "created_at=gt.2026-10-01&status=in.(upcoming,forecasted)"],
];

/** Twelve lists with different filters and orders, each the same in both languages. */
export const listRequests: readonly ListRequest[] = requests.map(
  ([api, postgrest, order = newestFirst, isAwarded = false]) => ({
    api: query([api]),
    postgrest: query([
      `select=${listedColumns}`,
      `classification=eq.${isAwarded ? "awarded_project" : "opportunity"}`,
      "archived_at=is.null",
      postgrest,
      `order=${order}`,
    ]),
  }),
);

/** Makes a list request that was never sent before, so that nothing of it is cached: a filter that keeps every record differs. */
export function makeNewRequest(count: number): ListRequest {
  const { api, postgrest } = withoutDateFilter[count % withoutDateFilter.length] ?? { api: "", postgrest: "" };
  const moment = makeNewMoment(count);
  return { api: `${api}&posted_after=${moment}`, postgrest: `${postgrest}&created_at=gt.${moment}` };
}

/** Filters of one value, each beside several values and such that are excluded. */
export const filtersOfSeveral: readonly { one: string; several: string }[] = [
  { one: "category=Health", several: "category=Health&category=Education&category=Housing&exclude_status=closed" },
  { one: "status=posted", several: "status=closed,upcoming&exclude_category=Health&exclude_category=Education" },
  {
    one: "agency=Department+of+Agriculture",
    several: "agency=Department+of+Agriculture&agency=Department+of+Energy&exclude_category=Health",
  },
  { one: "assistance_listing=10.557", several: "assistance_listing=10.,93.&exclude_assistance_listing=10.557" },
];

/** Makes a list with a filter that was never sent before. */
export function makeNewFilter(filter: string, count: number): string {
  return query([filter, `posted_after=${makeNewMoment(count)}`]);
}

/** Makes a moment before all records, a different one for each count. */
export function makeNewMoment(count: number): string {
  return new Date(Date.UTC(2000, 0, 1) + count).toISOString();
}

const withoutDateFilter = listRequests.filter(({ api }) => !api.includes("posted_after"));

function query(parts: string[]): string {
  return `?${[...parts.filter((part) => part !== ""), `limit=${pageSize}`].join("&")}`;
}

/** Reads a query string as the function does, and returns the parameters that it sends to the database. */
export function readParameters(query: string): object {
  const read = readQuery(query, grantList);
  if (!read.ok) throw new Error(`${query}: ${read.problem.detail}`);
  return read.value;
}

/** Calls the RPC of the list endpoint as the function does, without the function and PostgREST. */
export function callListRpc(connection: Connection, keyHash: string, query: string): Promise<unknown> {
  return connection.query("select public.list_grants($1, $2::jsonb) as answer", [
    keyHash,
    JSON.stringify(readParameters(query)),
  ]);
}
