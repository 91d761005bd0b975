/** One list request, as the API takes it and as PostgREST does on the same table. Both mean 20 records. */
export interface ListRequest {
  api: string;
  postgrest: string;
}

/** The published fields, less the funder's name, which is in another table: that is one thing less for PostgREST. */
export const listedColumns =
  "id,title,description,amount_min,amount_max,deadline_date,status,geography,funder_id,listing_url,created_at,categories";

const pageSize = 20;
const newestFirst = "created_at.desc,id.desc";

/** A filter or an order in both languages; what the API does by default, PostgREST has to be told. */
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

/** Twelve lists with different filters and orders, each the same list in both languages. */
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

/** A list that nobody has asked before, so that nothing of it is remembered: a filter that keeps everything differs. */
export function unseenRequest(count: number): ListRequest {
  const { api, postgrest } = unfilteredByDate[count % unfilteredByDate.length] ?? { api: "", postgrest: "" };
  const moment = unseenMoment(count);
  return { api: `${api}&posted_after=${moment}`, postgrest: `${postgrest}&created_at=gt.${moment}` };
}

/** A moment before all records, another one for each count. */
export function unseenMoment(count: number): string {
  return new Date(Date.UTC(2000, 0, 1) + count).toISOString();
}

const unfilteredByDate = listRequests.filter(({ api }) => !api.includes("posted_after"));

function query(parts: string[]): string {
  return `?${[...parts.filter((part) => part !== ""), `limit=${pageSize}`].join("&")}`;
}
