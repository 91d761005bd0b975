import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importRows } from "../../ingest/import-rows.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { emptySummary } from "../../ingest/summary.ts";
import type { PaginationInfo } from "../../shared/responses/common-grants.ts";
import type { CommonOrganization } from "../../shared/responses/common-grants-organizations.ts";
import type { FunderDetails } from "../../shared/responses/details.ts";
import type { Funder } from "../../shared/responses/records.ts";
import { expectToMatchProtocol } from "../support/common-grants/published.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Funders of publishers' files at the CommonGrants endpoint: every answer is held to the protocol's document. */

const files: [source: string, name: string][] = [
  ["irs-990pf", "irs-990pf-index.csv"],
  ["federal-organizations", "federal-organizations.json"],
];

let service: TestService;
let headers: Record<string, string>;
/** Every organization, in the order of the list. */
let all: CommonOrganization[];

interface Page {
  items: CommonOrganization[];
  paginationInfo: PaginationInfo;
}

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  for (const [name, file] of files) {
    const source = sources.find((one) => one.name === name);
    if (source === undefined) throw new Error(`no source ${name}`);
    const path = fileURLToPath(new URL(`../fixtures/sources/${file}`, import.meta.url));
    await importRows(readFiles([{ chunks: createReadStream(path) }], source.read), {
      prepare: namedMapping(source),
      rejects: { write: async () => undefined },
      summary: emptySummary(),
      connect: () => Promise.resolve([service.connection]),
    });
  }
  all = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { items, paginationInfo } = await get<Page>(`/common-grants/orgs?page=${page}`);
    all.push(...items);
    pages = paginationInfo.totalPages ?? 0;
  }
});
afterAll(() => service.close());

async function get<Body>(path: string, status = 200): Promise<Body> {
  const response = await service.fetch(path, { headers });
  expect(response.status).toBe(status);
  await expectToMatchProtocol("GET", path, response.clone());
  return (await response.json()) as Body;
}

const einOf = ({ identifiers }: CommonOrganization) => identifiers?.["org:us:ein"]?.id;

describe("GET /common-grants/orgs", () => {
  test("lists every funder once, by name", async () => {
    const stored = await service.connection.query<{ id: string }>("select id from funding.funders");
    expect(stored.length).toBeGreaterThan(10);
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)));
    const answer = await service.fetch("/funders-api?limit=100", { headers });
    const { results } = (await answer.json()) as { results: Funder[] };
    expect(all.slice(0, results.length).map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  });

  test("takes a page and its size, and a page after the last is empty", async () => {
    const { items, paginationInfo } = await get<Page>("/common-grants/orgs?page=2&pageSize=3");
    expect(items).toEqual(all.slice(3, 6));
    expect(paginationInfo).toMatchObject({ page: 2, pageSize: 3, totalItems: all.length });
    expect((await get<Page>("/common-grants/orgs?page=2000000000")).items).toEqual([]);
  });

  test("finds those with an EIN, and the one that has it, with or without its hyphen", async () => {
    const known = all.filter((organization) => einOf(organization) !== undefined);
    expect(known.length).toBeGreaterThan(1);
    expect(known.length).toBeLessThan(all.length);
    expect((await get<Page>("/common-grants/orgs?registry=org:us:ein")).items).toEqual(known);
    const [one] = known;
    const ein = (one && einOf(one)) ?? "";
    for (const id of [ein, `${ein.slice(0, 2)}-${ein.slice(2)}`]) {
      expect((await get<Page>(`/common-grants/orgs?registry=org:us:ein&id=${id}`)).items).toEqual([one]);
    }
  });

  test.each(["registry=org:us:ein&id=000000000", "registry=org:us:uei", "registry=org:us:uei&id=QZ5ACLXM1PL5"])(
    "finds nothing by %s",
    async (query) => {
      const { items, paginationInfo } = await get<Page>(`/common-grants/orgs?${query}`);
      expect(items).toEqual([]);
      expect(paginationInfo).toMatchObject({ totalItems: 0, totalPages: 0 });
    },
  );

  test.each([
    ["id=123456789", "id", "needs registry: the registry that gave the identifier"],
    ["pageSize=101", "pageSize", "must be an integer from 1 to 100"],
    ["name=x", "name", expect.stringContaining("is not a parameter of this endpoint")],
  ])("refuses %s", async (query, field, message) => {
    const { errors } = await get<{ errors: unknown[] }>(`/common-grants/orgs?${query}`, 400);
    expect(errors).toEqual([{ field, message }]);
  });
});

describe("an organization", () => {
  test("has what the funder has", async () => {
    for (const organization of all.slice(0, 40)) {
      const answer = await service.fetch(`/funders-api/${organization.id}?expand=details`, { headers });
      const { name, summary, website, details } = (await answer.json()) as Funder & { details: FunderDetails };
      expect(organization.name).toBe(name);
      expect(einOf(organization) ?? null).toBe(details.ein);
      expect(organization.customFields?.summary?.value ?? null).toBe(summary);
      expect(organization.customFields?.dataSource?.value).toBe(details.source);
      expect(organization.customFields?.lastModifiedAt?.value).toBe(details.updated_at);
      if (website === null) expect(organization).not.toHaveProperty("socials");
    }
    expect(all.some(({ socials }) => socials?.website !== undefined)).toBe(true);
  });

  test("is found by its id, with an entity tag; a grant is not", async () => {
    const [one] = all;
    expect((await get<{ data: CommonOrganization }>(`/common-grants/orgs/${one?.id}`)).data).toEqual(one);
    const response = await service.fetch(`/common-grants/orgs/${one?.id}`, { headers });
    const again = await service.fetch(`/common-grants/orgs/${one?.id}`, {
      headers: { ...headers, "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    await get(`/common-grants/orgs/${crypto.randomUUID()}`, 404);
    expect((await get<{ errors: unknown[] }>("/common-grants/orgs/x", 400)).errors).toEqual([
      { field: "orgId", message: "must be a UUID" },
    ]);
  });

  test.each(["2026", "2026-06-10", "0000-01-01T00:00:00Z", "2026-06-10T14:00:00", "9999-12-31T23:59:59-23:59"])(
    "is not shown as at %s",
    async (at) => {
      const { errors } = await get<{ errors: unknown[] }>(`/common-grants/orgs/${all[0]?.id}?at=${at}`, 400);
      expect(errors).toEqual([
        { field: "at", message: "must be a date-time with its offset, for example 2026-11-20T14:00:00Z" },
      ]);
    },
  );

  test("is shown as it was at a moment, and not found before it came", async () => {
    const { connection } = service;
    const [id, source_id] = [crypto.randomUUID(), "name:as it was"];
    await connection.query(
      `insert into funding.funders (id, name, summary, created_at, first_seen_at, updated_at, source, source_id, content_hash)
       values ($1, 'Third', 'New', '2020-01-01', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', 'test', $2, '')`,
      [id, source_id],
    );
    for (const [changed_at, previous] of [
      ["2026-02-01T00:00:00Z", { name: "First", summary: null }],
      ["2026-03-01T00:00:00Z", { name: "Second" }],
    ] as const) {
      await connection.query(
        "insert into funding.record_changes (dataset, record_id, changed_at, previous) values ('funders', $1, $2, $3::text::jsonb)",
        [id, changed_at, JSON.stringify(previous)],
      );
    }
    const at = async (moment: string) =>
      (await get<{ data: CommonOrganization }>(`/common-grants/orgs/${id}?at=${moment}`)).data;
    const shown = ({ name, customFields }: CommonOrganization) => [
      name,
      customFields?.summary?.value,
      customFields?.lastModifiedAt?.value,
    ];
    expect(shown(await at("2026-01-31T23:59:59Z"))).toEqual(["First", undefined, "2026-01-01T00:00:00.000Z"]);
    expect(shown(await at("2026-02-01T00:00:00Z"))).toEqual(["Second", "New", "2026-02-01T00:00:00.000Z"]);
    expect(shown(await at("2026-02-28T23:00:00-05:00"))).toEqual(["Third", "New", "2026-03-01T00:00:00.000Z"]);
    expect(shown(await at("2099-01-01T00:00:00Z"))).toEqual(["Third", "New", "2026-03-01T00:00:00.000Z"]);
    await get(`/common-grants/orgs/${id}?at=2025-12-31T23:59:59Z`, 404);
    await connection.query("delete from funding.funders where id = $1", [id]);
  });

  test("is not changed through the protocol", async () => {
    for (const method of ["POST", "PATCH", "DELETE"]) {
      const response = await service.fetch(`/common-grants/orgs/${all[0]?.id}`, { method, headers });
      expect(response.status).toBe(405);
    }
  });
});
