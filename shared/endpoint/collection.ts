import * as z from "zod";
import type { ListRpc, SingleRpc } from "../database/rpc.ts";
import { succeed } from "../http/problems.ts";
import type { Handler } from "../runtime.ts";
import { invalidParameters, noParameters, type QueryParameters, readQuery } from "../validation/query.ts";
import { askWithMeaning } from "./ask-with-meaning.ts";
import { createEndpoint } from "./endpoint.ts";
import { type Answer, route } from "./route.ts";

/** What sets one dataset's endpoint apart from another's. */
export interface Collection {
  /** The function's name, for example `grants-api`. */
  name: string;
  parameters: QueryParameters<z.ZodType<ListParameters>>;
  list: ListRpc;
  single: SingleRpc;
}

interface ListParameters extends Record<string, unknown> {
  limit: number;
  offset: number;
  search_mode: string;
  search?: string | undefined;
}

/** The endpoint of a dataset: `GET /NAME` lists it, `GET /NAME/{id}` gives one record. */
export function collectionEndpoint({ name, parameters, list, single }: Collection): Handler {
  return createEndpoint(name, [
    route({
      method: "GET",
      path: "",
      read: (request) => readQuery(new URL(request.url).search, parameters),
      ask: (context, asked) =>
        askWithMeaning(context, asked.search_mode === "keyword" ? undefined : asked.search, (meaning) =>
          context.database.call(list, { key_hash: context.keyHash, parameters: asked, ...meaning }),
        ),
      show(body, asked, { elapsedMs, documentationUrl }) {
        const deprecation = "geography" in asked ? geographyDeprecation(documentationUrl) : {};
        if (!("results" in body)) return { body: { total: body.total }, ...deprecation };
        const { results, total, sort_by, order, search_mode, data_as_of } = body;
        return {
          body: {
            results,
            pagination: { total, limit: asked.limit, offset: asked.offset, returned: results.length },
            meta: { response_time_ms: milliseconds(elapsedMs), sort_by, order, search_mode, data_as_of },
          },
          ...deprecation,
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
