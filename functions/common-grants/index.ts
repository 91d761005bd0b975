import * as z from "zod";
import type { ListRpc } from "../../shared/database/rpc.ts";
import { createEndpoint, type QueryContext, route } from "../../shared/endpoint/endpoint.ts";
import { queryPage } from "../../shared/endpoint/list-query.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { fail, invalidParameters, succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { PaginationInfo } from "../../shared/responses/common-grants.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import {
  awardSearch,
  listPages,
  opportunitySearch,
  organizationPages,
  profileParameters,
  searchPages,
} from "../../shared/validation/common-grants.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { isAwarded, toAward } from "./award.ts";
import type { DetailedGrant } from "./custom-fields.ts";
import { commonErrorFormat } from "./error-format.ts";
import { awards, type ListOfPage, opportunities, readSearch } from "./list-parameters.ts";
import { toOpportunity } from "./opportunity.ts";
import { type DetailedFunder, organizationParameters, toOrganization } from "./organization.ts";

const success = { status: 200, message: "Success" };

/** Routes of a kind of records: a list, and a search. */
function listRoutes<Search extends { pagination?: Pagination | undefined }>(
  path: "/opportunities" | "/awards",
  kind: { read(search: Partial<Search>): ReturnType<typeof readSearch>; render(grant: DetailedGrant): unknown },
  searchSchema: { names: string[]; schema: z.ZodType<Search> },
) {
  const query = (context: QueryContext, list: ListOfPage) =>
    queryRecords(context, "list_grants", list.parameters, kind.render);
  return [
    route({
      method: "GET",
      datasets: ["grants"],
      path,
      parse(request) {
        const pages = readQuery(new URL(request.url).search, listPages);
        return pages.ok ? kind.read({ pagination: pages.value } as Partial<Search>) : pages;
      },
      query,
      render: (found, list) => ({
        body: { ...success, items: found.items, paginationInfo: paginationInfo(found, list) },
      }),
    }),
    route({
      method: "POST",
      datasets: ["grants"],
      path: `${path}/search`,
      async parse(request) {
        const pages = readQuery(new URL(request.url).search, searchPages);
        if (!pages.ok) return pages;
        const body = await readJsonBody(request, searchSchema);
        return body.ok ? kind.read(withPage(body.value, pages.value)) : body;
      },
      query,
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
  ];
}

/** Route of one record. @param render gives null for a grant of another kind. */
function recordRoute(path: "/opportunities/{oppId}" | "/awards/{awdId}", render: (grant: DetailedGrant) => unknown) {
  const parameter = /\{(\w+)\}/.exec(path)?.[1] ?? "";
  return route({
    method: "GET",
    datasets: ["grants"],
    path,
    parse(request, id) {
      const query = readQuery(new URL(request.url).search, noParameters);
      return query.ok ? (checkId(parameter, id) ?? succeed(id)) : query;
    },
    async query({ database, keyHash }, id: string) {
      const outcome = await database.call("get_grant", { key_hash: keyHash, id, expand: ["details"] });
      if (!outcome.ok) return outcome;
      const { admission, body } = outcome.value;
      const data = body === null ? null : await render(body as DetailedGrant);
      return { ok: true as const, value: { admission, body: data } };
    },
    render: (data) => (data === null ? null : { body: { ...success, data }, hasEntityTag: true }),
  });
}

/** Routes of organizations: those that read. Nobody changes funders by this API. */
const organizationRoutes = [
  route({
    method: "GET",
    datasets: ["funders"],
    path: "/orgs",
    parse: (request) => readQuery(new URL(request.url).search, organizationPages),
    query: (context, pages) => queryRecords(context, "list_funders", organizationParameters(pages), toOrganization),
    render: (found: Found, pages) => ({
      body: { ...success, items: found.items, paginationInfo: paginationInfo(found, pages) },
    }),
  }),
  route({
    method: "GET",
    datasets: ["funders"],
    path: "/orgs/{orgId}",
    parse(request, id) {
      const query = readQuery(new URL(request.url).search, profileParameters);
      return query.ok ? (checkId("orgId", id) ?? succeed({ id, ...query.value })) : query;
    },
    query: ({ database, keyHash }, { id, at }) =>
      database.call("get_organization", { key_hash: keyHash, id, ...(at === undefined ? {} : { at }) }),
    render: (funder) =>
      funder && { body: { ...success, data: toOrganization(funder as DetailedFunder) }, hasEntityTag: true },
  }),
];

/** Refuses an id that is none. */
function checkId(parameter: string, id: string) {
  return z.guid().safeParse(id).success
    ? undefined
    : fail(invalidParameters([{ parameter, message: "must be a UUID" }]));
}

/** The opportunities and awards of the CommonGrants protocol, which are our grants, and its organizations, our funders. docs/common-grants.md says how they are mapped. */
export const handle = createEndpoint(
  "common-grants",
  [
    ...listRoutes(
      "/opportunities",
      { read: (search) => readSearch(opportunities, search), render: toOpportunity },
      opportunitySearch,
    ),
    recordRoute("/opportunities/{oppId}", toOpportunity),
    ...listRoutes(
      "/awards",
      { read: (search) => readSearch(awards, search), render: (grant) => toAward(grant) },
      awardSearch,
    ),
    recordRoute("/awards/{awdId}", (grant) => (isAwarded(grant) ? toAward(grant) : null)),
    ...organizationRoutes,
  ],
  { errorFormat: commonErrorFormat, keyHeader: "X-API-Key" },
);

interface Pagination {
  page: number;
  pageSize: number;
}

/** A search with the page that the address names, where it names one. */
function withPage<Search extends { pagination?: Pagination | undefined }>(
  search: Search,
  { page, pageSize }: { page?: number | undefined; pageSize?: number | undefined },
): Search {
  const pagination = { page: 1, pageSize: 100, ...search.pagination };
  return { ...search, pagination: { page: page ?? pagination.page, pageSize: pageSize ?? pagination.pageSize } };
}

interface Found {
  items: unknown[];
  total: number;
}

async function queryRecords<Item>(
  context: QueryContext,
  list: ListRpc,
  parameters: ListParameters,
  render: (record: Item) => unknown,
) {
  const outcome = await queryPage(context, list, parameters);
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  if (!("page" in body)) throw new Error("a list was answered without a page");
  const { results, total } = body.page;
  const items = await Promise.all((JSON.parse(results) as Item[]).map(render));
  const found: Found = { items, total };
  return { ok: true as const, value: { admission, body: found } };
}

function paginationInfo({ total }: Found, { page, pageSize }: Pagination): PaginationInfo {
  return { page, pageSize, totalItems: total, totalPages: Math.ceil(total / pageSize) };
}

export default { fetch: onEdge(handle, createReadState) };
