import { checkId } from "../../shared/endpoint/collection.ts";
import { createEndpoint, route } from "../../shared/endpoint/endpoint.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { roundMs } from "../../shared/endpoint/request-context.ts";
import { invalidParameters, type Problem, succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { documentParameters } from "../../shared/validation/documents.ts";
import { readQuery } from "../../shared/validation/query.ts";

/** `GET /documents/{id}`: a document of grants and contracts, with its text by passages. */
export const handle = createEndpoint("documents", [
  route({
    method: "GET",
    path: "/{id}",
    parameterNames: { maximum: "limit", skipped: "offset" },
    parse(request, id) {
      const query = readQuery(new URL(request.url).search, documentParameters);
      if (!query.ok) return query;
      return checkId(id) ?? succeed({ id, ...query.value });
    },
    query: ({ database, keyHash }, { id, page, limit, offset }) =>
      database.call("get_document", {
        key_hash: keyHash,
        id,
        ...(page === undefined ? {} : { page }),
        maximum: limit,
        skipped: offset,
      }),
    render(body, { id, page, limit, offset }, { elapsedMs }) {
      if (body === null) return { problem: unknownDocument(id) };
      const { document, passages, total } = body;
      if (page !== undefined && page > (document.pages ?? 0)) return { problem: noSuchPage(document.pages) };
      const pagination = { total, limit, offset, returned: passages.length };
      return { body: { document, passages, pagination, meta: { response_time_ms: roundMs(elapsedMs) } } };
    },
  }),
]);

function unknownDocument(id: string): Problem {
  return { name: "not-found", detail: `There is no document with the id ${id}.` };
}

function noSuchPage(pages: number | null): Problem {
  const message =
    pages === null || pages === 0
      ? "must be left out: the document has no pages"
      : `must be a page of the document, which has ${pages === 1 ? "one page" : `${pages} pages`}`;
  return invalidParameters([{ parameter: "page", message }]);
}

export default { fetch: onEdge(handle, createReadState) };
