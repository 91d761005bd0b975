import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { importRows } from "../../ingest/import-rows.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { grantsGovSearch2 } from "../../ingest/sources/grants-gov-search2.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { samGov } from "../../ingest/sources/sam-gov.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { importText } from "../unit/ingest/helpers.ts";
import { realFile } from "../unit/ingest/source-records.ts";

/**
 * Links in the real files, printed by dataset, sources and way:
 *
 *     npx vitest run --project main tests/ingest/real-versions.test.ts
 *
 * `PAIRS=1` before it prints each pair, to be judged by hand.
 */

const contracts = ["full-csv-excerpt", "legislative-branch", "with-contacts"].map((name) =>
  realFile(`contracts/sam-gov-${name}.csv`),
);
const search2 = realFile("grants/grants-gov-search2/00-api-grants-gov-v1-api-search2.json");
const tracker = realFile("grants/grants-gov-opportunities.csv");

interface Link {
  dataset: string;
  by: string;
  number: string;
  title: string;
  other_number: string;
  other_title: string;
  agency: string[];
  other_agency: string[];
  type: string | null;
  other_type: string | null;
}

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterAll(() => connection.close());

function importFiles(source: Source, paths: readonly string[]) {
  const streams = paths.map((path) => ({ chunks: createReadStream(path) }));
  return importRows(readFiles(streams, source.read), {
    prepare: namedMapping(source),
    connect: () => Promise.resolve([connection]),
    isFull: false,
    rejects: { write: async () => undefined },
    summary: emptySummary(),
  });
}

test.skipIf(contracts.includes(undefined) || search2 === undefined || tracker === undefined)(
  "of the real files' opportunities with a number, those are linked that their titles tell to be the same",
  async () => {
    for (const path of contracts) await importFiles(samGov, [path ?? ""]);
    const folder = dirname(search2 ?? "");
    await importFiles(
      grantsGovSearch2,
      readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => join(folder, name)),
    );
    await importText(connection, "csv", readFileSync(tracker ?? "", "utf8"), {
      source: "grant-tracker",
      maps: [
        "source_id=Opportunity ID",
        "opportunity_number=Opportunity ID",
        "title=Title",
        "description=Description",
        "agency=Agency",
        "funder_name=Agency",
        "created_at=Post Date",
        "deadline_date=Deadline",
        "status=Status",
      ],
    });
    const links = await connection.query<Link>(
      `${["grants", "contracts"]
        .map(
          (dataset) => `select '${dataset}' as dataset, shown.source || ' ' || version.source
               || case when shown.source = version.source then ' notice' else ' source' end as by,
             shown.details->>'opportunity_number' as number, shown.title, version.details->>'opportunity_number' as other_number, version.title as other_title,
             shown.details->'agency' as agency, version.details->'agency' as other_agency, shown.details->>'notice_type' as type, version.details->>'notice_type' as other_type
           from funding.${dataset} as version join funding.${dataset} as shown on shown.id = version.superseded_by`,
        )
        .join(" union all ")} order by dataset, number, other_title`,
    );
    const counts = new Map<string, number>();
    for (const { dataset, by } of links) counts.set(`${dataset}: ${by}`, (counts.get(`${dataset}: ${by}`) ?? 0) + 1);
    for (const [way, count] of counts) console.log(`${way}: ${count}`);
    if (process.env.PAIRS) for (const link of links) console.log(JSON.stringify(link));
    expect(links.length).toBeGreaterThan(50);
  },
  120_000,
);
