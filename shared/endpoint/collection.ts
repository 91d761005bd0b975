import * as z from "zod";
import { csvOf } from "../csv/write.ts";
import type { ListRpc, SingleRpc } from "../database/rpc.ts";
import { prefersCsv } from "../http/accept.ts";
import { succeed } from "../http/problems.ts";
import type { Handler } from "../runtime.ts";
import { writeCursor } from "../validation/cursor.ts";
import { invalidParameters, noParameters, type QueryParameters, readQuery } from "../validation/query.ts";
import { askForPage, askForPages, type FoundList, type ListParameters } from "./ask-for-list.ts";
import { createEndpoint } from "./endpoint.ts";
import { allPages, mostRows, rowsAtOnce } from "./list-pages.ts";
import { milliseconds } from "./milliseconds.ts";
import { type Answer, route } from "./route.ts";

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

/** A list request: what is asked of the database, and in which format it is answered. */
interface Asked {
  parameters: ListParameters;
  /** The request's URL. */
  url: URL;
  /** Most rows of the CSV; undefined when the answer is JSON. */
  rows: number | undefined;
}

/** The endpoint of a dataset: `GET /NAME` lists it, `GET /NAME/{id}` gives one record. */
export function collectionEndpoint({ name, parameters, columns, list, single }: Collection): Handler {
  return createEndpoint(name, [
    route<Asked, FoundList>({
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
      ask: (context, asked) => (asked.rows === undefined ? askForPage : askForPages)(context, list, asked.parameters),
      show(found, { parameters: asked, url, rows = mostRows }, { elapsedMs, documentationUrl }) {
        const deprecation = "geography" in asked ? geographyDeprecation(documentationUrl) : {};
        const headers = { Vary: "Authorization, Accept", ...deprecation.headers };
        const links = deprecation.links ?? [];
        if ("counted" in found) {
          const { total, facets } = found.counted;
          return { body: { total, ...(facets == null ? {} : { facets }) }, headers, links };
        }
        if ("first" in found) {
          const { first, rest } = found;
          const isRanked = first.search_mode !== "keyword" || first.sort_by === "relevance";
          return {
            stream: csvOf(isRanked ? [...columns, "relevance_score"] : columns, allPages(first, rows, rest)),
            headers: {
              ...headers,
              "Content-Type": "text/csv; charset=utf-8; header=present",
              "Content-Disposition": `attachment; filename="${name.replace("-api", "")}.csv"`,
              "X-Total-Count": String(first.total),
            },
            links,
          };
        }
        const { results, returned, total, next, facets, sort_by, order, search_mode, data_as_of } = found.page;
        const cursor = next === null ? null : writeCursor(next);
        const about = JSON.stringify({
          pagination: { total, limit: asked.limit, offset: asked.offset, returned, next: cursor },
          meta: { response_time_ms: milliseconds(elapsedMs), sort_by, order, search_mode, data_as_of },
          ...(facets === null ? {} : { facets }),
        });
        return {
          text: `{"results":${results},${about.slice(1)}`,
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
