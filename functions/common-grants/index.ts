import * as z from "zod";
import { createEndpoint, type QueryContext, route } from "../../shared/endpoint/endpoint.ts";
import { queryPage } from "../../shared/endpoint/list-query.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { fail, invalidParameters, succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { PaginationInfo } from "../../shared/responses/common-grants.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import {
  type OpportunitySearch,
  opportunityPages,
  opportunitySearch,
  searchPages,
} from "../../shared/validation/common-grants.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import type { DetailedGrant } from "./custom-fields.ts";
import { commonErrorFormat } from "./error-format.ts";
import { type OpportunityList, readSearch } from "./list-parameters.ts";
import { toOpportunity } from "./opportunity.ts";

const success = { status: 200, message: "Success" };

/** The opportunities of the CommonGrants protocol: our grants. docs/common-grants.md says how they are mapped. */
export const handle = createEndpoint(
  "common-grants",
  [
    route({
      method: "GET",
      datasets: ["grants"],
      path: "/opportunities",
      parse(request) {
        const query = readQuery(new URL(request.url).search, opportunityPages);
        return query.ok ? readSearch({ pagination: query.value }) : query;
      },
      query: queryOpportunities,
      render: (found, list) => ({
        body: { ...success, items: found.items, paginationInfo: paginationInfo(found, list) },
      }),
    }),
    route({
      method: "POST",
      datasets: ["grants"],
      path: "/opportunities/search",
      async parse(request) {
        const query = readQuery(new URL(request.url).search, searchPages);
        if (!query.ok) return query;
        const body = await readJsonBody(request, opportunitySearch);
        return body.ok ? readSearch(withPage(body.value, query.value)) : body;
      },
      query: queryOpportunities,
      render: (found, list) => ({
        body: {
          ...success,
          items: found.items,
          paginationInfo: paginationInfo(found, list),
          sortInfo: list.sortInfo,
          filterInfo: list.filterInfo,
        },
      }),
    }),
    route({
      method: "GET",
      datasets: ["grants"],
      path: "/opportunities/{oppId}",
      parse(request, oppId) {
        const query = readQuery(new URL(request.url).search, noParameters);
        if (!query.ok) return query;
        if (z.guid().safeParse(oppId).success) return succeed(oppId);
        return fail(invalidParameters([{ parameter: "oppId", message: "must be a UUID" }]));
      },
      query: ({ database, keyHash }, id) => database.call("get_grant", { key_hash: keyHash, id, expand: ["details"] }),
      render: (grant) =>
        grant === null
          ? null
          : { body: { ...success, data: toOpportunity(grant as DetailedGrant) }, hasEntityTag: true },
    }),
  ],
  { errorFormat: commonErrorFormat, keyHeader: "X-API-Key" },
);

/** A search with the page that the address names, where it names one. */
function withPage(
  search: OpportunitySearch,
  { page, pageSize }: { page?: number | undefined; pageSize?: number | undefined },
): OpportunitySearch {
  const pagination = { page: 1, pageSize: 100, ...search.pagination };
  return { ...search, pagination: { page: page ?? pagination.page, pageSize: pageSize ?? pagination.pageSize } };
}

interface Found {
  items: ReturnType<typeof toOpportunity>[];
  total: number;
}

async function queryOpportunities(context: QueryContext, { parameters }: OpportunityList) {
  const outcome = await queryPage(context, "list_grants", parameters);
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  if (!("page" in body)) throw new Error("a list was answered without a page");
  const { results, total } = body.page;
  const found: Found = { items: (JSON.parse(results) as DetailedGrant[]).map(toOpportunity), total };
  return { ok: true as const, value: { admission, body: found } };
}

function paginationInfo({ total }: Found, { page, pageSize }: OpportunityList): PaginationInfo {
  return { page, pageSize, totalItems: total, totalPages: Math.ceil(total / pageSize) };
}

export default { fetch: onEdge(handle, createReadState) };
