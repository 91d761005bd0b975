import { beforeAll, describe, expect, test } from "vitest";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { catalogue } from "../support/common-grants/catalogue.ts";
import { idsOf, readJson } from "./client.ts";
import {
  amountOf,
  commonGrantsClient,
  type Failure,
  mostPages,
  type Opportunity,
  type Page,
  path,
} from "./common-grants-client.ts";
import type { Grant } from "./schemas.ts";
import { type Caller, contractTarget } from "./target.ts";

// The target holds every answer to the protocol's own document: see `expectToMatchProtocol`.
const target = contractTarget();
const { client, list, readAll } = commonGrantsClient(target);
/** Every opportunity, in the order of the list. */
let all: Opportunity[];
let isWhole: boolean;
beforeAll(async () => {
  ({ all, isWhole } = await readAll());
});

describe("GET /common-grants/opportunities", () => {
  test("lists the current grants, each once, what was modified last first", async () => {
    const { paginationInfo } = await list(1);
    expect(paginationInfo.totalItems).toBe(await client.count("grants-api"));
    expect(new Set(idsOf(all)).size).toBe(all.length);
    if (isWhole) expect(all.length).toBe(paginationInfo.totalItems);
    // Where the catalogue is larger, the tests that compare all of it are left out.
    expect(isWhole).toBe(paginationInfo.totalPages <= mostPages);
    if (process.env.API_BASE_URL === undefined) expect(isWhole).toBe(true);
    const moments = all.map(({ lastModifiedAt }) => lastModifiedAt);
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  test("has the order of sort_by=updated_at, ties included", async () => {
    const { results } = await client.list("grants-api", { sort_by: "updated_at", limit: 100, offset: 100 });
    expect(idsOf((await list(2)).items)).toEqual(idsOf(results));
  });

  test("has 100 of the first page by default", async () => {
    const page = (await client.json(path)) as Page;
    expect(page.paginationInfo).toMatchObject({ page: 1, pageSize: 100 });
    expect(page.items).toEqual(all.slice(0, 100));
  });

  test.each([1, 7, 100])("pages of %i follow each other, and the last has the rest", async (size) => {
    for (const page of [1, 2, 5]) {
      expect((await list(page, size)).items).toEqual(all.slice((page - 1) * size, page * size));
    }
    const { totalItems, totalPages } = (await list(1, size)).paginationInfo;
    expect(totalPages).toBe(Math.ceil(totalItems / size));
    const last = await list(totalPages, size);
    expect(last.items).toHaveLength(totalItems - (totalPages - 1) * size);
    if (isWhole) expect(last.items).toEqual(all.slice((totalPages - 1) * size));
  });

  test.each([10_000_000, 2 ** 31 - 1])("page %i, behind the last, is empty", async (page) => {
    const { items, paginationInfo } = await list(page);
    expect(items).toEqual([]);
    expect(paginationInfo).toMatchObject({ page, totalItems: (await list(1)).paginationInfo.totalItems });
  });

  test.each<{ query: string; field: string }>([
    { query: "page=0", field: "page" },
    { query: "page=-1", field: "page" },
    { query: "page=1.5", field: "page" },
    { query: "page=x", field: "page" },
    { query: "page=2147483648", field: "page" },
    { query: "pageSize=0", field: "pageSize" },
    { query: "pageSize=101", field: "pageSize" },
    { query: "pageSize=", field: "pageSize" },
    { query: "page_size=10", field: "page_size" },
    { query: "limit=10", field: "limit" },
    { query: "page=1&page=1", field: "page" },
  ])("$query is 400, and named", async ({ query, field }) => {
    const failure = (await client.json(`${path}?${query}`, 400)) as Failure;
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining(field) });
    expect(failure.errors.map((error) => error.field)).toEqual([field]);
  });
});

describe("an opportunity", () => {
  type Detailed = Grant & { details: OpportunityDetails };

  test("has what the grant has, and nothing that it has not", async () => {
    const { results } = (await client.json("/grants-api?sort_by=updated_at&limit=100&expand=details")) as {
      results: Detailed[];
    };
    expect(results.length).toBe(Math.min(100, all.length));
    results.forEach((grant, index) => {
      const opportunity = all[index];
      const { funding, keyDates, customFields = {} } = opportunity ?? {};
      const { details } = grant;
      const statuses = {
        open: "open",
        posted: "open",
        closed: "closed",
        upcoming: "forecasted",
        forecasted: "forecasted",
      };
      expect(opportunity).toMatchObject({
        id: grant.id,
        title: grant.title,
        description: grant.description,
        status: { value: statuses[grant.status as keyof typeof statuses] },
        createdAt: grant.created_at,
        lastModifiedAt: details.updated_at,
      });
      expect(amountOf(funding?.minAwardAmount) ?? null).toBe(grant.amount_min);
      expect(amountOf(funding?.maxAwardAmount) ?? null).toBe(grant.amount_max);
      expect(amountOf(funding?.totalAmountAvailable) ?? null).toBe(details.total_funding);
      expect(funding?.estimatedAwardCount ?? null).toBe(details.expected_awards);
      expect(keyDates?.closeDate?.date ?? null).toBe(grant.deadline_date);
      expect(keyDates?.closeDate?.time ?? null).toBe(
        details.deadline_at === null || details.deadline_assumed ? null : details.deadline_at.slice(11, 19),
      );
      expect(opportunity?.acceptedApplicantTypes?.map(({ value }) => value) ?? []).toEqual(details.applicant_types);
      expect(opportunity?.source === undefined).toBe(grant.listing_url === null);
      expect(customFields.funderName?.value).toBe(grant.funder_name);
      const agency = customFields.agency?.value as { name?: string; parentName?: string } | undefined;
      expect([agency?.name, agency?.parentName]).toEqual([details.agency.at(-1), details.agency.at(-2)]);
      const { cost_sharing: isRequired } = details;
      expect(customFields.costSharing?.value).toEqual(isRequired === null ? undefined : { isRequired });
      const files = (customFields.attachments?.value ?? []) as { sizeInBytes?: number }[];
      expect(files.map(({ sizeInBytes }) => sizeInBytes ?? null)).toEqual(details.documents.map(({ size }) => size));
    });
  });

  test("has custom fields that are what their type says", () => {
    for (const { customFields = {} } of all) {
      for (const [key, { name, fieldType, value }] of Object.entries(customFields)) {
        expect(name).toBe(key);
        const type = Number.isInteger(value) && fieldType === "integer" ? "integer" : typeof value;
        expect(Array.isArray(value) ? "array" : type).toBe(fieldType);
      }
    }
  });

  test("has the fields of the protocol's catalogue in its shapes", () => {
    const found = new Map<string, number>();
    for (const { customFields = {} } of all) {
      for (const [name, { fieldType, value }] of Object.entries(customFields)) {
        const known = catalogue[name];
        if (known === undefined) continue;
        expect(fieldType, name).toBe(known.fieldType);
        expect(known.value.safeParse(value).error, `${name}: ${JSON.stringify(value)}`).toBeUndefined();
        found.set(name, (found.get(name) ?? 0) + 1);
      }
    }
    // A catalogue from before an upgrade has no details.
    if (all.some(({ customFields = {} }) => "agency" in customFields)) expect(found.size).toBeGreaterThan(6);
  });

  test("is the same by its id, with an entity tag", async () => {
    for (const opportunity of [all[0], all.at(-1)]) {
      const response = await target.send(`${path}/${opportunity?.id}`);
      expect(await response.clone().json()).toEqual({ status: 200, message: "Success", data: opportunity });
      const tag = response.headers.get("etag") ?? "";
      const again = await target.send(`${path}/${opportunity?.id}`, { headers: { "if-none-match": tag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });

  test("that is an awarded project is in no list, and custom by its id", async () => {
    const { results } = await client.list("grants-api", { opportunity_type: "awarded", limit: 1 });
    const { data } = (await client.json(`${path}/${results[0]?.id}`)) as { data: Opportunity };
    expect(data.status).toEqual({ value: "custom", customValue: "awarded" });
    expect(idsOf(all)).not.toContain(data.id);
  });

  test("that there is not is 404, and an id that is none 400", async () => {
    const id = crypto.randomUUID();
    const missing = (await client.json(`${path}/${id}`, 404)) as Failure;
    expect(missing).toEqual({ status: 404, message: expect.stringContaining(id), errors: [] });
    const wrong = (await client.json(`${path}/1`, 400)) as Failure;
    expect(wrong.errors.map(({ field }) => field)).toEqual(["oppId"]);
    await client.json(`${path}/${all[0]?.id}?expand=details`, 400);
  });
});

describe("every failure is the protocol's", () => {
  const json = { "content-type": "application/json" };
  const rows: { status: number; path: string; init?: RequestInit; caller?: Caller }[] = [
    { status: 401, path, caller: "nobody" },
    { status: 401, path: `${path}/search`, init: { method: "POST", body: "{", headers: json }, caller: "nobody" },
    { status: 403, path, caller: "free" },
    { status: 404, path: "/common-grants" },
    { status: 404, path: "/common-grants/openapi.json" },
    { status: 404, path: "/common-grants/competitions/1" },
    { status: 404, path: `${path}/` },
    { status: 405, path: `${path}/search` },
    { status: 405, path, init: { method: "POST", body: "{}", headers: json } },
    { status: 405, path: `${path}/${crypto.randomUUID()}`, init: { method: "DELETE" } },
    { status: 405, path: `${path}/search`, init: { method: "PUT", body: "{}", headers: json } },
    { status: 413, path: `${path}/search`, init: { method: "POST", body: " ".repeat(70_000), headers: json } },
    {
      status: 415,
      path: `${path}/search`,
      init: { method: "POST", body: "{}", headers: { "content-type": "text/plain" } },
    },
  ];
  test.each(rows)("$status at $path", async ({ status, path: asked, init, caller }) => {
    const response = await target.send(
      asked,
      { ...init, headers: { ...init?.headers, "x-request-id": "cg-1" } },
      caller,
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-request-id")).toBe("cg-1");
    expect(await readJson(response, status, asked)).toEqual({
      status,
      message: expect.stringMatching(/\w{4}/),
      errors: [],
    });
    if (status === 405) expect(response.headers.get("allow")).toMatch(/GET|POST/);
    if (status === 401) expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test("X-API-Key has the key as well as Authorization does, on every route", async () => {
    const key = target.keyOf("developer");
    const id = all[0]?.id;
    for (const headers of [{ "x-api-key": key }, { "x-api-key": key, authorization: `Bearer ${key}` }]) {
      for (const [asked, init] of [
        [path, {}],
        [`${path}/${id}`, {}],
        [`${path}/search`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
      ] as [string, RequestInit][]) {
        const response = await target.send(asked, { ...init, headers: { ...init.headers, ...headers } }, "nobody");
        expect([asked, response.status]).toEqual([asked, 200]);
        expect(response.headers.get("vary")).toContain("X-API-Key");
      }
    }
  });

  test("two different keys are refused, and so is a wrong one beside a right one", async () => {
    const key = target.keyOf("developer");
    const sent: Record<string, string>[] = [
      { "x-api-key": key, authorization: `Bearer ${target.keyOf("limited")}` },
      { "x-api-key": "wrong", authorization: `Bearer ${key}` },
      { "x-api-key": key, authorization: "Basic eDp5" },
      { "x-api-key": "wrong" },
      { "x-api-key": "" },
    ];
    // An empty one is none.
    const empty = { "x-api-key": "", authorization: `Bearer ${key}` };
    expect((await target.send(path, { headers: empty }, "nobody")).status).toBe(200);
    for (const headers of sent) expect((await target.send(path, { headers }, "nobody")).status).toBe(401);
  });

  test("X-API-Key is no key anywhere else", async () => {
    const headers = { "x-api-key": target.keyOf("developer") };
    expect((await target.send("/grants-api?limit=1", { headers }, "nobody")).status).toBe(401);
  });

  test("a search's page may be in its address, which comes before its body's", async () => {
    const at = async (address: string, pagination?: object) => {
      const body = JSON.stringify({ ...(pagination && { pagination }) });
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      return (await readJson(await target.send(`${path}/search${address}`, init), 200, address)) as Page;
    };
    const second = await at("", { page: 2, pageSize: 3 });
    // As the protocol's client for Python asks: the page in the address, the first in the body.
    expect(await at("?page=2&pageSize=3", { page: 1, pageSize: 100 })).toEqual(second);
    expect(await at("?page=2", { page: 1, pageSize: 3 })).toEqual(second);
    expect(await at("?pageSize=3", { page: 2 })).toEqual(second);
    expect(await at("?page=2&pageSize=3")).toEqual(second);
    const wrong = await target.send(`${path}/search?page=0`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(((await readJson(wrong, 400, "page=0")) as Failure).errors).toEqual([
      { field: "page", message: expect.stringContaining("must be an integer from 1") },
    ]);
  });

  test("HEAD has no body, and a preflight needs no key", async () => {
    const head = await target.send(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const preflight = await target.send(`${path}/search`, { method: "OPTIONS" }, "nobody");
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "OPTIONS, POST"]);
  });

  test("each request counts against the quota, a wrong one too", async () => {
    const remaining = async (asked: string, init?: RequestInit) =>
      Number((await target.send(asked, init, "limited")).headers.get("x-ratelimit-remaining"));
    const before = await remaining(path);
    expect(await remaining(`${path}?page=0`)).toBe(before - 1);
    expect(await remaining(`${path}/search`, { method: "POST", body: "{}", headers: json })).toBe(before - 2);
    expect(await remaining(`${path}/search`, { method: "POST", body: "{", headers: json })).toBe(before - 3);
    expect(await remaining(`${path}/${crypto.randomUUID()}`)).toBe(before - 4);
  });
});
