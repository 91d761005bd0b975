import { createReadStream, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { importRows } from "../../ingest/import-rows.ts";
import { readFiles } from "../../ingest/read/files.ts";
import type { GenericFormat } from "../../ingest/sources/generic.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { emptySummary } from "../../ingest/summary.ts";
import type { CommonOpportunity, PaginationInfo } from "../../shared/responses/common-grants.ts";
import { expectToMatchProtocol } from "../support/common-grants/published.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { importText } from "../unit/ingest/helpers.ts";
import { realFile } from "../unit/ingest/source-records.ts";

/** Records as publishers write them, at the CommonGrants endpoint: every page is held to the protocol's document. */

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/sources/${name}`, import.meta.url));

interface File {
  name: string;
  path: string | undefined;
  load(connection: Connection, path: string): Promise<number>;
}

function named(source: string, name: string, path: string | undefined): File {
  return {
    name,
    path,
    async load(connection, given) {
      const known = sources.find((one) => one.name === source);
      if (known === undefined) throw new Error(`no source ${source}`);
      const summary = emptySummary();
      await importRows(readFiles([{ chunks: createReadStream(given) }], known.read), {
        prepare: namedMapping(known),
        rejects: { write: async () => undefined },
        summary,
        connect: () => Promise.resolve([connection]),
      });
      const { inserted = 0, updated = 0 } = summary.records.get("grants") ?? {};
      return inserted + updated;
    },
  };
}

function generic(
  format: GenericFormat,
  name: string,
  path: string | undefined,
  options: { maps: string[]; sets?: string[] },
  textOf = (content: string) => content,
): File {
  return {
    name,
    path,
    async load(connection, given) {
      const source = name.replace(/\W+/g, "-");
      const { inserted = 0 } = await importText(connection, format, textOf(readFileSync(given, "utf8")), {
        source,
        ...options,
      });
      return inserted;
    },
  };
}

const grantsGovColumns = {
  maps: [
    "source_id=Opportunity ID",
    "identifiers=Opportunity ID,Assistance Listings",
    "amount_max=Award Ceiling",
    "created_at=Post Date",
    "funder=Agency",
    "total_funding=Est. Total Funding",
    "expected_awards=Est. # of Awards",
  ],
  sets: ["is_national=true"],
};
const search2 = ["00", "01", "02", "03", "04"].map((number) => `${number}-api-grants-gov-v1-api-search2.json`);

const files: File[] = [
  named("grants-gov", "GrantsDBExtract20260601v2.xml", fixture("GrantsDBExtract20260601v2.xml")),
  named("grants-gov-search2", "search2.json", fixture("search2.json")),
  named("grants-gov-search2", "fetchOpportunity-350001.json", fixture("fetchOpportunity-350001.json")),
  named("nsf", "nsf-awards.json", fixture("nsf-awards.json")),
  named("360giving", "360giving.json", fixture("360giving.json")),
  ...search2.map((name) => named("grants-gov-search2", name, realFile(`grants/grants-gov-search2/${name}`))),
  named("nsf", "nsf-awards-fy2026.csv", realFile("awards/nsf-awards-fy2026.csv")),
  generic("csv", "grants-gov-opportunities.csv", realFile("grants/grants-gov-opportunities.csv"), grantsGovColumns),
  generic("ndjson", "assistance-programs.jsonl", realFile("grants/assistance-programs.jsonl"), {
    maps: ["source_id=cfda", "identifiers=cfda", "description=objective", "funder=agency", "url=sam_url"],
    sets: ["status=open", "is_national=true"],
  }),
  generic(
    "ndjson",
    "pennsylvania.json",
    realFile("grants/pennsylvania.json"),
    {
      maps: [
        "source_id=slug",
        "description=overview",
        "funder=issuingAgency",
        "url=linkToApply",
        "deadline=closeDate",
        "created_at=openDate",
      ],
      sets: ["status=open"],
    },
    (content) => {
      const { grants } = JSON.parse(content) as { grants: { status?: string }[] };
      return grants.map(({ status: _, ...grant }) => JSON.stringify(grant)).join("\n");
    },
  ),
];

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  key = (await service.newKey()).key;
  await service.connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.imports",
  );
});
afterAll(() => service.close());

async function get(path: string): Promise<unknown> {
  const response = await service.fetch(path, { headers: bearer(key) });
  await expectToMatchProtocol("GET", path, response);
  return response.json();
}

async function counted(condition: string): Promise<number> {
  const [row] = await service.connection.query<{ count: number }>(
    `select count(*)::integer as count from funding.grants where ${condition}`,
  );
  return row?.count ?? 0;
}

describe("records of", () => {
  for (const { name, path, load } of files) {
    test.skipIf(path === undefined)(`${name} are imported`, async () => {
      expect(await load(service.connection, path ?? "")).toBeGreaterThan(0);
    });
  }
});

describe("every one of them is the protocol's", () => {
  test("on all pages, and by its id", async () => {
    const seen: CommonOpportunity[] = [];
    let pages = 1;
    for (let page = 1; page <= pages; page++) {
      const { items, paginationInfo } = (await get(`/common-grants/opportunities?page=${page}`)) as {
        items: CommonOpportunity[];
        paginationInfo: PaginationInfo;
      };
      seen.push(...items);
      pages = paginationInfo.totalPages ?? 0;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(
      await counted("classification = 'opportunity' and archived_at is null"),
    );
    for (const [index, opportunity] of seen.entries()) {
      if (index % 20 > 0) continue;
      const { data } = (await get(`/common-grants/opportunities/${opportunity.id}`)) as { data: CommonOpportunity };
      expect(data).toEqual(opportunity);
    }
  });

  test("of awarded projects, by their ids", async () => {
    const awarded = await service.connection.query<{ id: string; project_end_date: string | null }>(
      "select id, project_end_date::text from funding.grants where classification = 'awarded_project' order by id limit 100",
    );
    expect(awarded.length).toBeGreaterThan(0);
    for (const { id, project_end_date } of awarded) {
      const { data } = (await get(`/common-grants/opportunities/${id}`)) as { data: CommonOpportunity };
      expect(data.status).toEqual({ value: "custom", customValue: "awarded" });
      const end = data.keyDates?.otherDates?.projectEnd;
      expect(end === undefined ? null : "date" in end && end.date).toBe(project_end_date);
    }
  });
});
