import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { listAddress } from "../../ingest/common-grants/address.ts";
import { importApi } from "../../ingest/common-grants/import-api.ts";
import { importRows } from "../../ingest/import-rows.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { grantsGov } from "../../ingest/sources/grants-gov.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { simpler } from "../../ingest/sources/simpler.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { emptySummary } from "../../ingest/summary.ts";
import type { CommonOpportunity, PaginationInfo } from "../../shared/responses/common-grants.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Our own catalogue, served by one database and imported into another, by our own API. */

let served: TestService;
let mirror: TestService;
let keys: Map<TestService, string>;

beforeAll(async () => {
  [served, mirror] = [await openTestService(), await openTestService()];
  await mirror.connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.record_aliases, funding.imports",
  );
  await importFixture(served.connection, grantsGov, "GrantsDBExtract20260601v2.xml");
  await importFixture(served.connection, simpler, "simpler-export.csv");
  keys = new Map();
  for (const service of [served, mirror]) keys.set(service, (await service.newKey()).key);
});
afterAll(async () => {
  await served.close();
  await mirror.close();
});

async function importFixture(connection: Connection, source: Source, name: string) {
  const path = fileURLToPath(new URL(`../fixtures/sources/${name}`, import.meta.url));
  const summary = emptySummary();
  await importRows(readFiles([{ chunks: createReadStream(path) }], source.read), {
    prepare: namedMapping(source),
    rejects: { write: async () => undefined },
    summary,
    connect: () => Promise.resolve([connection]),
  });
  return summary.records.get("grants");
}

async function pageOf(
  service: TestService,
  path: string,
): Promise<{ items: CommonOpportunity[]; paginationInfo: PaginationInfo }> {
  const response = await service.fetch(path, { headers: bearer(keys.get(service) ?? "") });
  expect(response.status).toBe(200);
  return response.json() as never;
}

async function catalogueOf(service: TestService): Promise<CommonOpportunity[]> {
  const found: CommonOpportunity[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { items, paginationInfo } = await pageOf(service, `/common-grants/opportunities?page=${page}`);
    found.push(...items);
    pages = paginationInfo.totalPages ?? 0;
  }
  return found;
}

async function importServed(options: { isFull?: boolean; nowMs?: number } = {}) {
  const summary = emptySummary();
  const rejects: object[] = [];
  let requests = 0;
  const result = await importApi({
    ...options,
    address: listAddress("https://catalogue.example.org/functions/v1"),
    source: "catalogue-example-org",
    getJson: (address) => {
      requests++;
      return pageOf(served, `${address.pathname.replace("/functions/v1", "")}${address.search}`);
    },
    connection: mirror.connection,
    isForced: true,
    rejects: { write: async (more) => void rejects.push(...more) },
    summary,
  });
  return { ...result, rejects, requests, read: summary.read, counts: summary.records.get("grants") };
}

/**
 * An opportunity without what the protocol does not carry: ids of records and funders, which each catalogue gives; when the record changed in this
 * catalogue; and the publisher's file, unless it is Grants.gov's. Types of applicants have no order: imports have the protocol's, demo records any.
 */
function carried({ id: _, lastModifiedAt: _changed, customFields = {}, ...opportunity }: CommonOpportunity) {
  const { funderId: _funder, dataSource, ...fields } = customFields;
  const types = new Set(opportunity.acceptedApplicantTypes?.map((type) => JSON.stringify(type)));
  return {
    ...opportunity,
    acceptedApplicantTypes: types,
    customFields: dataSource?.value === "grants-gov" ? { ...fields, dataSource } : fields,
  };
}

const isOfGrantsGov = ({ customFields }: CommonOpportunity) => customFields?.dataSource?.value === "grants-gov";

async function sourceIds(): Promise<Map<string, string>> {
  const rows = await mirror.connection.query<{ id: string; source_id: string }>(
    "select id, source_id from funding.grants",
  );
  return new Map(rows.map(({ id, source_id }) => [id, source_id]));
}

describe("a catalogue that is imported by our own API", () => {
  test("comes back record by record, in all fields that the protocol carries", async () => {
    const result = await importServed();
    expect(result).toMatchObject({ outcome: "completed", rejects: [] });
    const ids = await sourceIds();
    const before = await catalogueOf(served);
    const after = await catalogueOf(mirror);
    expect(after.length).toBe(before.length);
    expect(before.filter(isOfGrantsGov).length).toBeGreaterThan(2);
    expect(before.filter((one) => !isOfGrantsGov(one)).length).toBeGreaterThan(50);
    const found = new Map(after.flatMap((one) => [[one.id, one] as const, [ids.get(one.id), one] as const]));
    for (const opportunity of before) {
      const copy = found.get(opportunity.id);
      expect(copy, `${opportunity.id} ${opportunity.title}`).toBeDefined();
      if (copy !== undefined) expect(carried(copy)).toEqual(carried(opportunity));
    }
  });

  test("changes nothing when it is imported again", async () => {
    expect(await importServed({ isFull: true })).toMatchObject({ counts: { inserted: 0, updated: 0, archived: 0 } });
  });

  test("has the records of Grants.gov that its files bring, once", async () => {
    const count = async () => (await mirror.connection.query("select from funding.grants")).length;
    const before = await count();
    const archived = "archived_at is not null";
    const counts = await importFixture(mirror.connection, grantsGov, "GrantsDBExtract20260601v2.xml");
    const [{ count: gone } = { count: 0 }] = await served.connection.query<{ count: number }>(
      `select count(*)::integer as count from funding.grants where source = 'grants-gov' and ${archived}`,
    );
    expect(counts).toMatchObject({ updated: 0 });
    expect((await count()) - before).toBeLessThanOrEqual(gone);
    await importFixture(mirror.connection, simpler, "simpler-export.csv");
    const doubled = await mirror.connection.query(
      "select upper(details->>'opportunity_number') from funding.grants where source = 'grants-gov' group by 1 having count(*) > 1",
    );
    expect(doubled).toEqual([]);
    expect(await importServed({ isFull: true })).toMatchObject({ counts: { inserted: 0, updated: 0 } });
  });

  test("follows a change, and reads no more than it has to", async () => {
    await served.connection.execute("update funding.grants set updated_at = updated_at - interval '1 day'");
    await importServed({ isFull: true });
    const [first] = (await catalogueOf(served)).filter((one) => !isOfGrantsGov(one));
    await served.connection.query(
      "update funding.grants set title = 'Renamed', deadline_date = null, details = details - '{deadline_at,deadline_assumed}'::text[], content_hash = '', updated_at = now() where id = $1",
      [first?.id],
    );
    const { requests, counts } = await importServed();
    expect(counts).toMatchObject({ inserted: 0, updated: 1 });
    expect(requests).toBeLessThanOrEqual(2);
    const copy = (await catalogueOf(mirror)).find(({ title }) => title === "Renamed");
    expect(copy?.keyDates?.closeDate).toBeUndefined();
  });
});
