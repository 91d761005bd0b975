import * as z from "zod";
import { checkFields, detailFields, recordFields } from "../catalogue/fields.generated.ts";
import { recordParameters } from "../catalogue/parameters.ts";
import type { Dataset } from "../datasets.ts";
import { prefersCsv } from "../http/headers.ts";
import { fail, invalidParameters, type Outcome, type Problem, succeed } from "../http/problems.ts";
import type { RecordBody } from "../responses/records.ts";
import type { Handler } from "../runtime.ts";
import { errorsBesideIds, isRankedList, type ListParameters, notInCsv, ofIds } from "../validation/list.ts";
import {
  changesParameters,
  noParameters,
  type QueryParameters,
  readListQuery,
  readQuery,
} from "../validation/query.ts";
import { createEndpoint, type QueryContext, type RenderContext, type Route, route } from "./endpoint.ts";
import { choose, csvBatchRows, type ListResult, maxCsvRows, partsToRead, queryCsv, queryPage } from "./list-query.ts";
import { roundMs } from "./request-context.ts";
import type { Answer } from "./respond.ts";

/** RPCs of one record, by dataset. */
const single = { grants: "get_grant", contracts: "get_contract", funders: "get_funder" } as const;

/** A parsed list request. */
export interface ListRequest {
  parameters: ListParameters;
  /** The fields to answer with; undefined for all. */
  fields: readonly string[] | undefined;
  /** As a query string. */
  search: string;
  /** Whether it came in the address, not in a body. */
  isInAddress: boolean;
  /** Row limit of the CSV; undefined where the answer is JSON. */
  csvRows: number | undefined;
}

/**
 * Makes the endpoint of a dataset: `GET /NAME` lists it, `POST /NAME/search` does so by a query that is a body, `GET /NAME/{id}` gives one record, `GET /NAME/{id}/changes` its changes.
 *
 * @param further routes that this dataset alone has.
 */
export function collectionEndpoint(
  dataset: Dataset,
  parameters: QueryParameters<z.ZodType<ListParameters>>,
  further: readonly Route[] = [],
): Handler {
  const name = `${dataset}-api`;
  const list = listAnswers(dataset, parameters);
  const ofRecord = recordParameters(dataset);
  return createEndpoint(name, [
    route<ListRequest, ListResult>({
      method: "GET",
      datasets: [dataset],
      path: "",
      parse: (request) => list.read(request, new URL(request.url).search, true),
      query: list.query,
      render: list.render,
    }),
    route<ListRequest, ListResult>({
      method: "POST",
      datasets: [dataset],
      path: "/search",
      async parse(request) {
        const none = readQuery(new URL(request.url).search, noParameters);
        if (!none.ok) return none;
        const { readListBody } = await import("../validation/list-body.ts");
        const body = await readListBody(request, parameters.names);
        return body.ok ? list.read(request, body.value, false) : body;
      },
      given: ({ search }) => search,
      query: list.query,
      render: list.render,
    }),
    route({
      method: "GET",
      datasets: [dataset],
      path: "/{id}",
      parse(request, id) {
        const query = readQuery(new URL(request.url).search, ofRecord);
        if (!query.ok) return query;
        return checkId(id) ?? succeed({ id, ...query.value });
      },
      query({ database, keyHash }, { id, ...given }) {
        const expand = partsToRead(dataset, given);
        return database.call(single[dataset], { key_hash: keyHash, id, ...(expand === undefined ? {} : { expand }) });
      },
      render: (record, { fields }) =>
        record && { body: fields === undefined ? record : choose(record, fields), hasEntityTag: true },
    }),
    route({
      method: "GET",
      datasets: [dataset],
      path: "/{id}/changes",
      parse(request, id) {
        const query = readQuery(new URL(request.url).search, changesParameters);
        if (!query.ok) return query;
        return checkId(id) ?? succeed({ id, ...query.value });
      },
      query: ({ database, keyHash }, { id, limit, cursor }) =>
        database.call("get_changes", {
          key_hash: keyHash,
          dataset,
          id,
          maximum: limit,
          ...(cursor === undefined ? {} : { before: cursor }),
        }),
      render: (body) =>
        body === null ? null : { body: { ...body, next: body.next === null ? null : String(body.next) } },
    }),
    ...further,
  ]);
}

/**
 * A dataset's list: reads a query, asks the database, renders the answer.
 */
export function listAnswers(dataset: Dataset, parameters: QueryParameters<z.ZodType<ListParameters>>) {
  const list = `list_${dataset}` as const;
  return {
    /**
     * @param search the query string. Of a body, it is what the body would be in an address, and as long as the body may be.
     */
    async read(request: Request, search: string, isInAddress: boolean): Promise<Outcome<ListRequest>> {
      const query = await readListQuery(search, parameters, isInAddress ? undefined : Number.POSITIVE_INFINITY);
      if (!query.ok) return query;
      const { format = prefersCsv(request.headers.get("accept")) ? "csv" : "json", fields, ...given } = query.value;
      const names = new Set(new URLSearchParams(search).keys());
      const beside = given.ids === undefined ? [] : errorsBesideIds([...names]);
      if (beside.length > 0) return fail(invalidParameters(beside));
      const all = { ...given, expand: partsToRead(dataset, query.value) };
      const rest = all.ids === undefined ? all : ofIds(all);
      const asked = { fields, search, isInAddress };
      if (format === "json") return succeed({ ...asked, parameters: rest, csvRows: undefined });
      // Of `format=csv`, the parameters' own check has refused them.
      const refused = notInCsv(rest);
      if (refused.length > 0) {
        const message = "cannot be combined with Accept: text/csv, which has records only";
        return fail(invalidParameters(refused.map((parameter) => ({ parameter, message }))));
      }
      const csvRows = names.has("limit") || rest.ids !== undefined ? rest.limit : maxCsvRows;
      return succeed({ ...asked, parameters: { ...rest, limit: Math.min(csvRows, csvBatchRows) }, csvRows });
    },
    query: (context: QueryContext, { parameters, fields, csvRows }: ListRequest) =>
      csvRows === undefined
        ? queryPage(context, list, parameters, fields)
        : queryCsv(context, list, parameters, csvRows),
    render(
      result: ListResult,
      { parameters, fields, search, isInAddress }: ListRequest,
      { elapsedMs, documentationUrl }: RenderContext,
    ): Answer {
      const deprecation = "geography" in parameters ? geographyDeprecation(documentationUrl) : {};
      const headers = { ...deprecation.headers };
      const links = deprecation.links ?? [];
      const varies = ["Accept"];
      if ("count" in result) {
        const { total, facets } = result.count;
        return { body: { total, ...(facets == null ? {} : { facets }) }, headers, links, varies };
      }
      if ("rows" in result) {
        const { csvTotal, rows, stream } = result;
        const { expand } = parameters;
        const isChosen = (name: string) => fields === undefined || name === "id" || fields.includes(name);
        const columns = [
          ...recordFields[dataset].filter(isChosen),
          ...(isRankedList(parameters) ? ["relevance_score"] : []),
          ...(expand === undefined ? [] : detailFields[dataset].filter(isChosen)),
          ...checkFields[dataset].filter((name) => fields?.includes(name)),
        ];
        return {
          stream: () => stream.send(csvText(columns, rows)),
          headers: {
            ...headers,
            "Content-Type": "text/csv; charset=utf-8; header=present",
            "Content-Disposition": `attachment; filename="${dataset}.csv"`,
            "X-Total-Count": String(csvTotal),
          },
          links,
          varies,
        };
      }
      const { results, missing, archived, returned, total, next, facets } = result.page;
      const { sort_by, order, search_mode, data_as_of, last_updated_at, understood } = result.page;
      const isFeed = sort_by === "updated_at" && order === "asc" && search_mode === "keyword";
      const rest = JSON.stringify({
        ...(missing === undefined ? {} : { missing }),
        ...(archived === null ? {} : { archived }),
        pagination: { total, limit: parameters.limit, offset: parameters.offset, returned, next },
        meta: {
          response_time_ms: roundMs(elapsedMs),
          sort_by,
          order,
          search_mode,
          data_as_of,
          ...(isFeed ? { last_updated_at } : {}),
          ...(understood === null ? {} : { understood }),
        },
        ...(facets === null ? {} : { facets }),
      });
      return {
        text: `{"results":${results},${rest.slice(1)}`,
        headers,
        varies,
        links: next === null || !isInAddress ? links : [...links, nextLink(`${dataset}-api`, search, next)],
      };
    },
  };
}

/** Text of a CSV. What writes it is loaded at the first, so that other requests do not wait for it. */
async function* csvText(
  columns: readonly string[],
  rows: AsyncIterable<readonly RecordBody[]>,
): AsyncGenerator<string> {
  const { writeCsv } = await import("../csv/write.ts");
  yield* writeCsv(columns, rows);
}

/** Refuses an id that is none. */
export function checkId(id: string): { ok: false; problem: Problem } | undefined {
  if (z.guid().safeParse(id).success) return undefined;
  return fail(invalidParameters([{ parameter: "id", message: "must be a UUID" }]));
}

/** Returns the link to the next page, at the path that the function has on every stack. */
function nextLink(name: string, search: string, cursor: string): string {
  const query = new URLSearchParams(search);
  query.delete("offset");
  query.set("cursor", cursor);
  return `</functions/v1/${name}?${query}>; rel="next"`;
}

/** RFC 9745: `geography` is deprecated since 2026-06-10, in Unix seconds. The link leads to its replacement. */
function geographyDeprecation(documentationUrl: string | undefined): Pick<Answer, "headers" | "links"> {
  const headers = { Deprecation: `@${Date.UTC(2026, 5, 10) / 1000}` };
  if (documentationUrl === undefined) return { headers };
  return { headers, links: [`<${documentationUrl}#geography>; rel="deprecation"`] };
}
