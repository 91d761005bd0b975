import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { writeSnapshot } from "../../cli/snapshot/write-snapshot.ts";
import { createFundingClient } from "../../packages/client/src/client.ts";
import { detailSchemas } from "../../shared/catalogue/details.ts";
import { connectMcp } from "../contract/mcp-client.ts";
import { csvParseCells, itemsOf, textOf } from "../support/csv-readers.ts";
import { everyDetail as details, hostile } from "../support/every-detail.ts";
import { bearer, testBaseUrl } from "../support/service.ts";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

type Shown = Record<string, unknown> & { id: string; details: Record<string, unknown> };

const records = {
  grants: [
    grant({ title: hostile, description: `${hostile}\n\n${hostile}`, listing_url: "https://a.example/ü?q=1", details }),
    grant({
      title: "Everything is missing",
      description: "",
      amount_min: null,
      amount_max: null,
      deadline_date: null,
      geography: null,
      details: {},
    }),
    grant({ title: "No details", amount_min: 0, amount_max: 1e15, categories: ["A, B; C", "D"] }),
    grant({
      title: "An award",
      classification: "awarded_project",
      status: "closed",
      deadline_date: null,
      project_end_date: "2030-02-28",
    }),
  ],
  contracts: [
    contract({
      title: hostile,
      set_aside_code: "8A",
      primary_contact_email: "a@example.gov",
      details,
    }),
    contract({ title: "Nothing more", naics: null, set_aside_code: null }),
  ],
  funders: [
    {
      source: "test",
      source_id: "f-1",
      name: `Fund ${hostile}`,
      summary: hostile,
      website: null,
      created_at: "2026-01-01T00:00:00Z",
    },
  ],
};

let service: WebhookService;
let key: string;
let mcp: Awaited<ReturnType<typeof connectMcp>>;
/** Each record as `GET /NAME/{id}?expand=details` shows it: what the others are held to. */
const shown: Record<keyof typeof records, Shown[]> = { grants: [], contracts: [], funders: [] };
/** Data of the deliveries, by the record's id. */
const delivered = new Map<string, unknown>();
/** Folders of snapshots, and of the one with these records. */
let snapshots: string;
let snapshot: string;

const get = (path: string) => service.fetch(path, { headers: bearer(key) });

beforeAll(async () => {
  service = await openWebhookService();
  ({ key } = await service.newKey());
  const target = {
    send: (path: string, init?: RequestInit) =>
      service.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...bearer(key) } }),
  };
  mcp = await connectMcp(target as Parameters<typeof connectMcp>[0], "developer");
  await service.subscribe({
    url: "https://hooks.example.org/",
    events: ["grant.created", "contract.created", "funder.created"],
    expand: ["details"],
  });
  for (const [dataset, given] of Object.entries(records)) await service.load(dataset, ...given);
  await service.rpc("fan_out_events", { maximum: 100 });
  for (;;) {
    const { deliveries } = await service.rpc("claim_deliveries", { maximum: 100, failing_maximum: 100 });
    if (deliveries.length === 0) break;
    for (const { data } of deliveries) delivered.set(String(data.id), data);
    await service.rpc("finish_deliveries", {
      results: deliveries.map(({ endpoint_id, event_id, attempt, url }) => ({
        endpoint_id,
        event_id,
        attempt,
        url,
        started_at: new Date().toISOString(),
        duration_ms: 1,
        status: 200,
      })),
    });
  }
  for (const [dataset, given] of Object.entries(records)) {
    for (const { source_id } of given as { source_id: string }[]) {
      const [row] = await service.connection.query<{ id: string }>("select funding.record_id($1, 'test', $2) as id", [
        dataset,
        source_id,
      ]);
      const response = await get(`/${dataset}-api/${row?.id}?expand=details`);
      expect(response.status).toBe(200);
      shown[dataset as keyof typeof shown].push((await response.json()) as Shown);
    }
  }
  snapshots = await mkdtemp(join(tmpdir(), "funding-one-truth-"));
  snapshot = join(snapshots, (await writeSnapshot(service.connection, snapshots)).id);
});
afterAll(async () => {
  await mcp.close();
  await service.close();
  await rm(snapshots, { recursive: true });
});

test("what was imported is what is shown, to the character", () => {
  const [first] = shown.grants;
  expect(first).toMatchObject({ title: hostile, amount_max: 80_000, deadline_date: "2031-07-01", details });
  expect(shown.contracts[0]?.details).toMatchObject(details);
  expect(shown.funders[0]).toMatchObject({ name: `Fund ${hostile}`, summary: hostile });
});

/** Expects the dataset's records in a CSV file, field by field. */
function expectInCsv(text: string, dataset: keyof typeof records) {
  const [columns = [], ...rows] = csvParseCells(text);
  for (const { details: about, ...record } of shown[dataset]) {
    const row = rows.find((cells) => cells[columns.indexOf("id")] === record.id) ?? [];
    const cell = (field: string) => row[columns.indexOf(field)] ?? "no such column";
    for (const [field, value] of Object.entries({ ...record, ...about })) {
      if (value === null) expect(cell(field), field).toBe("");
      else if (typeof value === "string") expect(textOf(cell(field)), field).toBe(value);
      else if (Array.isArray(value) && value.every((item) => typeof item === "string"))
        expect(itemsOf(cell(field)), field).toEqual(value);
      else if (typeof value !== "object") expect(cell(field), field).toBe(String(value));
      else if (!Array.isArray(value)) {
        // In the order of the declaration; stored JSON has another.
        const { shape } = (detailSchemas[field as keyof typeof detailSchemas] as z.ZodNullable).unwrap() as z.ZodObject;
        const parts = Object.keys(shape).map((name) => (value as Record<string, unknown>)[name]);
        expect(textOf(cell(field)), field).toBe(parts.filter((part) => part !== null).join(", "));
      }
    }
    const { documents, assistance_listings: listings } = about as unknown as typeof details;
    if (dataset === "funders") continue;
    expect(itemsOf(cell("documents"))).toEqual(documents.map(({ url }) => url));
    expect(itemsOf(cell("assistance_listings"))).toEqual(
      listings.map(({ number, title }) => (title === null ? number : `${number} ${title}`)),
    );
  }
}

describe.each(["grants", "contracts", "funders"] as const)("a record of %s is the same", (dataset) => {
  const everything = dataset === "funders" ? "" : "&opportunity_type=all";

  test("in a list, without details as by its id", async () => {
    const client = createFundingClient({
      baseUrl: testBaseUrl,
      apiKey: key,
      fetch: (input, init) => service.send(new Request(input, init)),
    });
    const query = dataset === "funders" ? {} : { opportunity_type: "all" as const };
    const listed = new Map<string, unknown>();
    for await (const record of client[dataset].iterate({ ...query, expand: ["details"] }))
      listed.set(record.id, record);
    for (const record of shown[dataset]) {
      expect(listed.get(record.id)).toEqual(record);
      const { details: _, ...plain } = record;
      expect(await (await get(`/${dataset}-api/${record.id}`)).json()).toEqual(plain);
    }
  });

  test("in a ranked list, but for its relevance", async () => {
    for (const { details: _, ...record } of shown[dataset]) {
      const words = String(record.title ?? record.name).match(/[a-z]{4,}/gi) ?? [];
      const path = `/${dataset}-api?sort_by=relevance&limit=100&search=${words[0]}${everything}`;
      const { results } = (await (await get(path)).json()) as { results: Shown[] };
      const { relevance_score, ...found }: Record<string, unknown> = results.find(({ id }) => id === record.id) ?? {
        id: "not found",
      };
      expect(found).toEqual(record);
      expect(relevance_score).toBeGreaterThan(0);
    }
  });

  test("in CSV", async () => {
    const response = await get(`/${dataset}-api?format=csv&expand=details${everything}`);
    expectInCsv(await response.text(), dataset);
  });

  test("in a snapshot, as JSON Lines and as CSV", async () => {
    const read = async (name: string) => gunzipSync(await readFile(join(snapshot, name))).toString();
    const lines = (await read(`${dataset}.jsonl.gz`)).split("\n").slice(0, -1);
    const written = new Map(lines.map((line) => [JSON.parse(line).id, JSON.parse(line)]));
    for (const record of shown[dataset]) expect(written.get(record.id)).toEqual(record);
    expectInCsv(await read(`${dataset}.csv.gz`), dataset);
  });

  test("from the tool for language models", async () => {
    for (const record of shown[dataset]) {
      const { content } = await mcp.callTool({
        name: "get_record",
        arguments: { type: dataset, id: record.id, expand: ["details"] },
      });
      expect(JSON.parse((content as unknown as [{ text: string }])[0].text)).toEqual(record);
    }
  });

  test("in a delivery", () => {
    for (const record of shown[dataset]) expect(delivered.get(record.id)).toEqual(record);
  });
});

test("a grant is the same by the CommonGrants protocol", async () => {
  for (const { details: about, ...record } of shown.grants) {
    const answer = await (await get(`/common-grants/opportunities/${record.id}`)).json();
    const { data } = answer as { data: Record<string, never> & { keyDates: Record<string, { date: string }> } };
    const money = (amount: unknown) => (amount === null ? undefined : { amount: String(amount), currency: "USD" });
    const { funding = {}, customFields } = data as unknown as {
      funding: Record<string, { amount: string }>;
      customFields: Record<string, { value: unknown }>;
    };
    expect(data).toMatchObject({
      id: record.id,
      title: record.title,
      description: record.description,
      createdAt: record.created_at,
      lastModifiedAt: about.updated_at,
    });
    expect(funding.minAwardAmount).toEqual(money(record.amount_min));
    expect(funding.maxAwardAmount).toEqual(money(record.amount_max));
    expect(funding.totalAmountAvailable).toEqual(money(about.total_funding));
    expect(data.keyDates.closeDate?.date ?? null).toBe(record.deadline_date);
    expect(customFields.funderName?.value).toBe(record.funder_name);
    expect(customFields.eligibilityCriteria?.value).toEqual(
      about.eligibility_text === null ? undefined : { details: about.eligibility_text },
    );
    expect((customFields.agency?.value as { name?: string } | undefined)?.name).toBe((about.agency as string[]).at(-1));
  }
});
