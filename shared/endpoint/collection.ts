import * as z from "zod";
import { csvOf } from "../csv/write.ts";
import type { Admitted, ListBody, ListRpc, RpcOutcome, SingleRpc } from "../database/rpc.ts";
import { prefersCsv } from "../http/accept.ts";
import { succeed } from "../http/problems.ts";
import type { Handler } from "../runtime.ts";
import { type Cursor, writeCursor } from "../validation/cursor.ts";
import { invalidParameters, noParameters, type QueryParameters, readQuery } from "../validation/query.ts";
import { askWithMeaning } from "./ask-with-meaning.ts";
import { createEndpoint } from "./endpoint.ts";
import { allPages, mostRows, rowsAtOnce } from "./list-pages.ts";
import { type Answer, type AskContext, route } from "./route.ts";

/** What sets one dataset's endpoint apart from another's. */
export interface Collection {
  /** The function's name, for example `grants-api`. */
  name: string;
  parameters: QueryParameters<z.ZodType<ListParameters>>;
  /** The columns of its CSV. */
  columns: readonly string[];
  list: ListRpc;
  single: SingleRpc;
}

export interface ListParameters extends Record<string, unknown> {
  limit: number;
  offset: number;
  search_mode: string;
  search?: string | undefined;
  cursor?: Cursor | undefined;
  format?: "json" | "csv" | undefined;
}

/** A list request: what is asked of the database, and in which format it is answered. */
interface Asked {
  parameters: ListParameters;
  /** The request's URL. */
  url: URL;
  /** Most rows of the CSV; undefined when the answer is JSON. */
  rows: number | undefined;
}

/** A list's first page, and how to get the others. */
interface Found {
  first: ListBody;
  rest(cursor: Cursor, rows: number): Promise<ListBody>;
}

/** The endpoint of a dataset: `GET /NAME` lists it, `GET /NAME/{id}` gives one record. */
export function collectionEndpoint({ name, parameters, columns, list, single }: Collection): Handler {
  return createEndpoint(name, [
    route<Asked, Found>({
      method: "GET",
      path: "",
      read(request) {
        const url = new URL(request.url);
        const query = readQuery(url.search, parameters);
        if (!query.ok) return query;
        const { format = prefersCsv(request.headers.get("accept")) ? "csv" : "json", ...asked } = query.value;
        if (format === "json") return succeed({ parameters: asked, url, rows: undefined });
        const rows = url.searchParams.has("limit") ? asked.limit : mostRows;
        return succeed({ parameters: { ...asked, limit: Math.min(rows, pageRows(asked)) }, url, rows });
      },
      ask: async (context, asked) => listPages(context, list, asked.parameters),
      show({ first, rest }, { parameters: asked, url, rows }, { elapsedMs, documentationUrl }) {
        const deprecation = "geography" in asked ? geographyDeprecation(documentationUrl) : {};
        const headers = { Vary: "Authorization, Accept", ...deprecation.headers };
        const links = deprecation.links ?? [];
        const facets = first.facets == null ? {} : { facets: first.facets };
        if (!("results" in first)) return { body: { total: first.total, ...facets }, headers, links };
        const { results, total, next, sort_by, order, search_mode, data_as_of } = first;
        if (rows !== undefined) {
          return {
            stream: csvOf(
              search_mode === "keyword" && sort_by !== "relevance" ? columns : [...columns, "relevance_score"],
              allPages(first, rows, rest),
            ),
            headers: {
              ...headers,
              "Content-Type": "text/csv; charset=utf-8; header=present",
              "Content-Disposition": `attachment; filename="${name.replace("-api", "")}.csv"`,
              "X-Total-Count": String(total),
            },
            links,
          };
        }
        const cursor = next === null ? null : writeCursor(next);
        return {
          body: {
            results,
            pagination: { total, limit: asked.limit, offset: asked.offset, returned: results.length, next: cursor },
            meta: { response_time_ms: milliseconds(elapsedMs), sort_by, order, search_mode, data_as_of },
            ...facets,
          },
          headers,
          links: cursor === null ? links : [...links, nextLink(url, cursor)],
        };
      },
    }),
    route({
      method: "GET",
      path: "/{id}",
      read(request, id) {
        const query = readQuery(new URL(request.url).search, noParameters);
        if (!query.ok) return query;
        if (!uuid.safeParse(id).success) {
          return { ok: false, problem: invalidParameters([{ parameter: "id", message: "must be a UUID" }]) };
        }
        return succeed(id);
      },
      ask: ({ database, keyHash }, id) => database.call(single, { key_hash: keyHash, id }),
      show: (record) => (record === null ? null : { body: record, tagged: true }),
    }),
  ]);
}

const uuid = z.guid();

/** Rows that a CSV asks for at first. A ranked search would be ranked anew for each page, so it is asked for whole. */
function pageRows({ search_mode, sort_by }: ListParameters): number {
  return search_mode === "keyword" && sort_by !== "relevance" ? rowsAtOnce : mostRows;
}

async function listPages(
  context: AskContext,
  list: ListRpc,
  parameters: ListParameters,
): Promise<RpcOutcome<Admitted<Found>>> {
  const query = parameters.search_mode === "keyword" ? undefined : parameters.search;
  const outcome = await askWithMeaning(context, query, (meaning) =>
    context.database.call(list, { key_hash: context.keyHash, parameters, ...meaning }),
  );
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  const rest = async (cursor: Cursor, limit: number): Promise<ListBody> => {
    const { sort_by, order } = cursor;
    const more = await context.database.call(list, {
      key_hash: context.keyHash,
      parameters: { ...parameters, limit, offset: 0, sort_by, order, cursor },
      // The first call admitted and counted the caller.
      query_vector: {
        model: null,
        vector: null,
        ...(query === undefined ? undefined : context.embeddings.remembered(query)),
        is_second_call: true,
      },
    });
    if (more.ok && !("wanted_embedding" in more.value.body)) return more.value.body;
    const reason = more.ok ? "the query's vector was forgotten" : `${more.failure.code} ${more.failure.message}`;
    context.warn(`a list broke off after its answer had begun: ${reason}`);
    throw new Error(reason);
  };
  return { ok: true, value: { admission, body: { first: body, rest } } };
}

/** The link to the next page, at the address that every stack has the function at. */
function nextLink(url: URL, cursor: string): string {
  const query = new URLSearchParams(url.search);
  query.delete("offset");
  query.set("cursor", cursor);
  return `</functions/v1/${url.pathname.split("/").at(-1)}?${query}>; rel="next"`;
}

/** RFC 9745: `geography` is deprecated since 2026-06-10, in Unix seconds; the link says what to use instead. */
function geographyDeprecation(documentationUrl: string | undefined): Pick<Answer, "headers" | "links"> {
  const headers = { Deprecation: `@${Date.UTC(2026, 5, 10) / 1000}` };
  if (documentationUrl === undefined) return { headers };
  return { headers, links: [`<${documentationUrl}#geography>; rel="deprecation"`] };
}

/** Hundredths are as fine as the clocks of the platforms we run on. */
export function milliseconds(elapsed: number): number {
  return Math.round(elapsed * 100) / 100;
}
