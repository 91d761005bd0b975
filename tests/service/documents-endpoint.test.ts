import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectDocuments, linkDocuments, type ReadFileRow, storeDocuments } from "../../database/documents.ts";
import { tools } from "../../functions/mcp/tools.ts";
import type { DocumentAnswer } from "../../shared/responses/documents.ts";
import { resultHolder, type ToolResult } from "../contract/mcp-client.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** `GET /documents/{id}`, and the tools of MCP that read documents. */

const url = "https://agency.example.gov/notice.pdf";
const checked_at = "2026-11-01T00:00:00.000Z";

const notice: ReadFileRow = {
  url,
  file: null,
  fetched_at: checked_at,
  checked_at,
  sha256: "0".repeat(64),
  reader: 1,
  documents: [
    {
      member: null,
      media_type: "application/pdf",
      pages: 2,
      is_cut: false,
      reason: null,
      facts: [
        {
          name: "narrative_page_limit",
          value: 15,
          passage: 3,
          page: 2,
          sentence: "The narrative has at most 15 pages.",
        },
      ],
      passages: [
        { number: 1, first_page: 1, last_page: 1, heading: "", body: "Reservoirs for quokkas." },
        {
          number: 2,
          first_page: 1,
          last_page: 2,
          heading: "Eligibility > Cost sharing",
          body: "Quokka keepers bring a tenth of the money.",
        },
        {
          number: 3,
          first_page: 2,
          last_page: 2,
          heading: "Form",
          body: "The narrative has at most 15 pages. Wombats are out of scope.",
        },
      ],
    },
  ],
};
const page: ReadFileRow = {
  ...notice,
  url: null,
  file: "terms.html",
  documents: [
    {
      ...{ member: null, media_type: "text/html", pages: null, is_cut: true, reason: null, facts: [] },
      passages: [{ number: 1, first_page: null, last_page: null, heading: "", body: "Terms of numbats." }],
    },
  ],
};

let service: TestService;
let headers: Record<string, string>;
let record: { id: string; title: string };
let ids: Record<string, string>;

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  const [grant] = await service.connection.query<typeof record>(
    `select id, title from funding.grants
     where classification = 'opportunity' and archived_at is null and superseded_by is null and status = 'open' order by id limit 1`,
  );
  if (grant === undefined) throw new Error("there is no open grant");
  record = grant;
  const files = [notice, page].map((file) => ({
    ...{ url: file.url, file: file.file },
    records: [{ dataset: "grants" as const, id: record.id }],
  }));
  await expectDocuments(service.connection, files);
  await storeDocuments(service.connection, [notice, page]);
  await linkDocuments(service.connection, files);
  const stored = await service.connection.query<{ name: string; id: string }>(
    "select coalesce(url, file) as name, id from funding.documents",
  );
  ids = Object.fromEntries(stored.map(({ name, id }) => [name, id]));
});
afterAll(() => service.close());

const ask = (path: string, given = headers) => service.fetch(`/documents/${path}`, { headers: given });

async function read(query = "", name = url): Promise<DocumentAnswer> {
  const response = await ask(`${ids[name]}${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as DocumentAnswer;
}

async function refused(path: string, status: number, given = headers) {
  const response = await ask(path, given);
  expect(response.status).toBe(status);
  return (await response.json()) as { detail: string; errors?: { parameter: string; message: string }[] };
}

describe("a document", () => {
  test("has its records, what it states, and its text in order, each with the page to cite", async () => {
    const { document, passages, pagination, meta } = await read();
    const fact = { name: "narrative_page_limit", value: 15, page: 2, url: `${url}#page=2`, document_id: ids[url] };
    expect(document).toEqual({
      ...{ id: ids[url], name: null, url, media_type: "application/pdf", pages: 2, is_cut: false, problem: null },
      ...{ fetched_at: checked_at, checked_at },
      records: [{ type: "grants", ...record }],
      facts: [{ ...fact, sentence: "The narrative has at most 15 pages." }],
    });
    expect(
      passages.map(({ number, page, last_page, heading, url }) => [number, page, last_page, heading, url]),
    ).toEqual([
      [1, 1, 1, null, `${url}#page=1`],
      [2, 1, 2, "Eligibility > Cost sharing", `${url}#page=1`],
      [3, 2, 2, "Form", `${url}#page=2`],
    ]);
    expect(passages[0]?.text).toBe("Reservoirs for quokkas.");
    expect(pagination).toEqual({ total: 3, limit: 20, offset: 0, returned: 3 });
    expect(meta.response_time_ms).toBeGreaterThanOrEqual(0);
  });

  test.each([
    [1, [1, 2]],
    [2, [2, 3]],
  ])("has on page %i the passages that are partly there", async (number, expected) => {
    const { passages, pagination } = await read(`?page=${number}`);
    expect(passages.map((passage) => passage.number)).toEqual(expected);
    expect(pagination).toMatchObject({ total: 2, returned: 2 });
  });

  test("is read part by part", async () => {
    const { passages, pagination } = await read("?limit=1&offset=1");
    expect(passages.map(({ number }) => number)).toEqual([2]);
    expect(pagination).toEqual({ total: 3, limit: 1, offset: 1, returned: 1 });
    expect((await read("?offset=3")).passages).toEqual([]);
    expect((await read("?page=2&limit=1&offset=1")).passages.map(({ number }) => number)).toEqual([3]);
  });

  test("without pages and an address has its name, and text without either", async () => {
    const { document, passages } = await read("", "terms.html");
    expect(document).toMatchObject({ name: "terms.html", url: null, pages: null, is_cut: true, facts: [] });
    expect(passages).toEqual([
      { number: 1, page: null, last_page: null, heading: null, text: "Terms of numbats.", url: null },
    ]);
  });

  test("is read on a replica as on the primary", async () => {
    const given = { id: ids[url], page: 1, maximum: 1, skipped: 1 };
    const [row] = await service.connection.query<{ result: { body: { passages: object[]; total: number } } }>(
      "select public.read_data('get_document', (jsonb '{\"key_hash\": \"catalogue\"}' || $1::text::jsonb)::text) as result",
      [JSON.stringify(given)],
    );
    expect(row?.result.body).toMatchObject({ passages: [{ number: 2 }], total: 2 });
  });

  test("that no record has yet is not found", async () => {
    await service.connection.query("delete from funding.document_records where document_id = $1", [ids["terms.html"]]);
    await refused(ids["terms.html"] ?? "", 404);
    await service.connection.query("insert into funding.document_records values ($1, 'grants', $2)", [
      ids["terms.html"],
      record.id,
    ]);
  });
});

describe("a request is refused", () => {
  test("for what is no id, and for an id that no document has", async () => {
    expect((await refused("notice", 400)).errors).toEqual([{ parameter: "id", message: "must be a UUID" }]);
    const unknown = crypto.randomUUID();
    expect((await refused(unknown, 404)).detail).toBe(`There is no document with the id ${unknown}.`);
  });

  test.each([
    ["page=3", "page", "must be a page of the document, which has 2 pages"],
    ["page=0", "page", "must be an integer from 1 to 100000"],
    ["limit=0", "limit", "must be an integer from 1 to 100"],
    ["limit=101", "limit", "must be an integer from 1 to 100"],
    ["offset=-1", "offset", "must be an integer from 0 to 10000"],
    ["pages=1", "pages", "is not a parameter of this endpoint; did you mean page?"],
  ])("for %s", async (query, parameter, message) => {
    expect((await refused(`${ids[url]}?${query}`, 400)).errors).toEqual([{ parameter, message }]);
  });

  test("for a page of a document without pages", async () => {
    expect((await refused(`${ids["terms.html"]}?page=1`, 400)).errors).toEqual([
      { parameter: "page", message: "must be left out: the document has no pages" },
    ]);
  });

  test("of a key that reads none of its records' datasets", async () => {
    const keyFor = async (datasets: string[]) => {
      const { key, keyId } = await service.newKey();
      await service.connection.query("update funding.api_keys set datasets = $2 where id = $1", [keyId, datasets]);
      return bearer(key);
    };
    await refused(ids[url] ?? "", 403, await keyFor(["funders"]));
    expect((await ask(ids[url] ?? "", await keyFor(["grants", "funders"]))).status).toBe(200);
    await service.connection.query(
      "insert into funding.document_records select $1, 'contracts', id from funding.contracts limit 1",
      [ids[url]],
    );
    const response = await ask(ids[url] ?? "", await keyFor(["grants"]));
    const { document } = (await response.json()) as DocumentAnswer;
    expect(document.records).toEqual([{ type: "grants", ...record }]);
    await service.connection.query("delete from funding.document_records where dataset = 'contracts'");
  });
});

describe("a tool of MCP", () => {
  const hold = resultHolder(tools.map(({ name, output }) => ({ name, outputSchema: output })));

  async function call(name: string, given: object) {
    const response = await service.fetch("/mcp", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    });
    const { result } = JSON.parse(/\{[^\r\n]*/.exec(await response.text())?.[0] ?? "") as { result: ToolResult };
    return { ...hold(name, result), data: result.structuredContent };
  }

  test("search_passages finds opportunities by their documents, and what to cite", async () => {
    const { text, data } = await call("search_passages", { type: "grants", search: "wombats", status: "open" });
    const { results } = data as { results: { id: string; title: string; passages: object[] }[] };
    expect(results, text).toHaveLength(1);
    expect(results[0]).toMatchObject({
      ...record,
      passages: [{ document_id: ids[url], url: `${url}#page=2`, page: 2, heading: "Form" }],
    });
    expect(await call("search_passages", { type: "contracts", search: "wombats" })).toMatchObject({
      isError: false,
      data: { results: [] },
    });
  });

  test("search_passages needs a text, and opportunities", async () => {
    expect(await call("search_passages", { type: "grants" })).toMatchObject({ isError: true });
    expect((await call("search_passages", { type: "funders", search: "wombats" })).text).toContain(
      "type must be one of grants, contracts",
    );
  });

  test("get_document gives the text around it", async () => {
    const { data } = await call("get_document", { id: ids[url], page: 2 });
    expect(data).toMatchObject({
      document: { pages: 2, facts: [{ value: 15, url: `${url}#page=2` }] },
      passages: [{ number: 2 }, { number: 3, url: `${url}#page=2` }],
      pagination: { total: 2 },
    });
    expect((await call("get_document", { id: ids[url], page: 9 })).text).toContain("which has 2 pages");
  });
});
