import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { readFiles } from "../../ingest/read/files.ts";
import type { ReadRows } from "../../ingest/read/row.ts";
import { type RunOptions, runImport } from "../../ingest/run-import.ts";
import { threeSixtyGiving } from "../../ingest/sources/360giving.ts";
import { createGenericReader, genericMapping } from "../../ingest/sources/generic.ts";
import { grantsGov } from "../../ingest/sources/grants-gov.ts";
import { grantsGovSearch2 } from "../../ingest/sources/grants-gov-search2.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { nsf } from "../../ingest/sources/nsf.ts";
import { samGov } from "../../ingest/sources/sam-gov.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { share } from "../support/properties.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { pipedZip } from "../unit/ingest/archives.ts";
import { chunksOf } from "../unit/ingest/helpers.ts";

/** A file that was cut anywhere archives no record that the whole file has, and stores no value that it does not have. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

const rowCount = 12;
const ids = Array.from({ length: rowCount }, (_, index) => index + 1);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
/** Text of several lines, with what a cut may take for more. */
const description = (id: number) => `Pays for "all" of ${id}, or a part,\nand more: 1,2,3\n\nuntil 120000 is spent`;

const csvOf = (lineBreak: string, isQuoted: boolean) =>
  ["id,title,funder,description,posted,amount_max"]
    .concat(
      ids.map((id) => {
        const text = isQuoted ? quoted(description(id).replaceAll("\n", lineBreak)) : `Pays for all of ${id}`;
        return `${id},Größe ${id},Office,${text},${String(id + 1).padStart(2, "0")}/05/2026,${120_000 + id}`;
      }),
    )
    .map((line) => line + lineBreak)
    .join("");

const samCsv = `NoticeId,Title,Type,Link,Department/Ind.Agency,PostedDate,Award$,Description\n${ids
  .map(
    (id) =>
      `n${id},Notice ${id},Solicitation,https://sam.gov/${id},NAVY,2026-05-01,${120_000 + id},${quoted(description(id))}\n`,
  )
  .join("")}`;
const nsfCsv = `award_id,title_clean,end_date,amount_usd\n${ids.map((id) => `${id},Award ${id},05/28/2029,${120_000 + id}\n`).join("")}`;
const ndjson = ids
  .map((id) =>
    JSON.stringify({
      amount_max: 120_000 + id,
      id,
      title: `T ${id}`,
      funder: "Office",
      deadline: "05/06/2026",
      description: description(id),
    }),
  )
  .join("\n");
const xml = `<?xml version="1.0"?>\n<Grants>\n${ids
  .map(
    (id) =>
      `<OpportunitySynopsisDetail_1_0 ><OpportunityID>${id}</OpportunityID><OpportunityTitle>T ${id}</OpportunityTitle><AgencyName>EPA</AgencyName><AwardCeiling>${120_000 + id}</AwardCeiling><Description>${id} &lt;p&gt; &amp; <![CDATA[</OpportunitySynopsisDetail_1_0>]]></Description></OpportunitySynopsisDetail_1_0 >\n`,
  )
  .join("")}</Grants >\n<!-- end -->\n`;
const givingJson = JSON.stringify({
  grants: ids.map((id) => ({
    id: `360G-${id}`,
    title: `T ${id}`,
    currency: "USD",
    amountAwarded: 120_000 + id,
    awardDate: "05/06/2014",
    description: description(id),
    fundingOrganization: [{ id: "F", name: "F" }],
  })),
});
const search2Json = JSON.stringify({
  data: {
    oppHits: ids.map((id) => ({ id, title: `T ${id}`, agency: "EPA", oppStatus: "posted", closeDate: "08/01/2026" })),
  },
});

interface Format {
  name: string;
  read: ReadRows;
  prepare(bytes: Uint8Array): RunOptions["prepare"];
  dataset?: "contracts";
  whole: Uint8Array;
  /** Whether a file that was cut here is a shorter whole one: nobody can tell it from a shorter list. */
  isWhole?(cut: string): boolean;
}

const known = (source: Source, content: string | Uint8Array): Pick<Format, "name" | "read" | "prepare" | "whole"> => ({
  name: source.name,
  read: source.read,
  prepare: () => namedMapping(source),
  whole: Buffer.from(content),
});

function generic(name: string, format: "csv" | "ndjson", content: string | Uint8Array): Omit<Format, "isWhole"> {
  const request = { dataset: "grants", maps: [], sets: [], pads: [] } as const;
  return {
    name,
    read: createGenericReader(format).read,
    // Only the last row shows that the day comes first.
    prepare: (bytes) =>
      genericMapping(request, name, () =>
        readFiles([{ chunks: chunksOf(bytes, 1_000) }], createGenericReader(format).read),
      ),
    whole: Buffer.from(content),
  };
}

/** Cut at the end of a row. */
const endsRow = (row: RegExp) => (cut: string) => row.test(cut);
const afterAmount = endsRow(/,12\d{4}\r?\n$/);

const formats: Format[] = [
  { ...generic("csv-quoted", "csv", csvOf("\n", true)), isWhole: afterAmount },
  { ...generic("csv-windows", "csv", csvOf("\r\n", true)), isWhole: afterAmount },
  { ...generic("csv-plain", "csv", csvOf("\n", false)), isWhole: afterAmount },
  { ...generic("ndjson", "ndjson", `${ndjson}\n`), isWhole: endsRow(/\}\n$/) },
  { ...known(samGov, samCsv), dataset: "contracts", isWhole: endsRow(/spent"\n$/) },
  { ...known(nsf, nsfCsv), isWhole: endsRow(/,12\d{4}\n$/) },
  known(grantsGov, xml),
  { ...known(threeSixtyGiving, givingJson), name: "360giving" },
  known(grantsGovSearch2, search2Json),
  generic("zip", "csv", pipedZip([{ name: "grants.csv", content: csvOf("\n", true) }])),
  generic("gzip", "csv", gzipSync(csvOf("\n", true))),
  generic("zip-of-two", "csv", pipedZip([1, 2].map((n) => ({ name: `${n}.csv`, content: csvOf("\n", true) })))),
];

interface Outcome {
  outcome: string;
  archived: number;
}

async function importBytes(format: Format, bytes: Uint8Array, options: Partial<RunOptions> = {}): Promise<Outcome> {
  const summary = emptySummary();
  const result = await runImport(readFiles([{ chunks: chunksOf(bytes, 1_000) }], format.read), {
    prepare: format.prepare(bytes),
    connect: () => Promise.resolve([connection]),
    importer: format.name,
    file: format.name,
    asOf: new Date("2026-06-01T05:00:00Z"),
    isFull: true,
    isForced: false,
    rejects: { write: () => Promise.resolve() },
    summary,
    ...options,
  }).catch((error: Error) => ({ outcome: `failed: ${error.message}` }));
  const archived = [...summary.records.values()].reduce((sum, counts) => sum + counts.archived, 0);
  return { outcome: result.outcome, archived };
}

const empty = () =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.imports",
  );

/** Stored columns, without derived ones and times. */
async function stored(format: Format): Promise<Map<string, string>> {
  const rows = await connection.query<{ source_id: string; record: string }>(
    `select source_id, (to_jsonb(record) - array['updated_at', 'first_seen_at', 'id', 'funder_id', 'content_hash', 'bm25', 'slot', 'lexemes', 'embedding']
       || jsonb_build_object('created_at', case when (created_at at time zone 'UTC')::time = '00:00' then created_at end))::text as record
     from funding.${format.dataset ?? "grants"} as record order by source_id`,
  );
  return new Map(rows.map(({ source_id, record }) => [source_id, record]));
}

describe.each(formats.map((format) => [format.name, format] as const))("%s", (_, format) => {
  const { whole, isWhole = () => false } = format;
  // All over the last two rows, where the fifth that may go unasked does not hide what would be archived.
  const last = Math.floor(whole.length * (1 - 2 / rowCount));
  const step = Math.max(1, Math.floor((whole.length - last) / 40));
  const cuts = Array.from({ length: Math.ceil((whole.length - last) / step) }, (_, index) => last + index * step);

  test("cut at any byte changes and archives nothing, and is not called complete", async () => {
    await empty();
    expect(await importBytes(format, whole)).toEqual({ outcome: "completed", archived: 0 });
    const before = await stored(format);
    expect(before.size).toBe(rowCount);
    const position = fc.integer({ min: 1, max: whole.length - 1 });
    const earlier = fc.sample(position, { numRuns: 12, seed: 7 });
    const index = formats.indexOf(format);
    for (const end of [...share([...cuts, ...earlier], index), whole.length - 1]) {
      const cut = whole.subarray(0, end);
      if (isWhole(Buffer.from(cut).toString("latin1"))) continue;
      const { outcome, archived } = await importBytes(format, cut);
      expect({ end, archived, stored: await stored(format) }).toEqual({ end, archived: 0, stored: before });
      // Bytes behind the last row of an archive or a document are no row.
      if (outcome === "completed") expect(end).toBeGreaterThan(whole.length - 60);
    }
  });

  test("cut at any byte, and the first of its source, stores no value that the whole file does not have", async () => {
    await empty();
    await importBytes(format, whole);
    const records = await stored(format);
    for (const end of share(
      cuts.filter((_, index) => index % 2 === 0),
      formats.indexOf(format),
    )) {
      const cut = Buffer.from(whole.subarray(0, end)).toString("latin1");
      if (isWhole(cut)) continue;
      // A first file whose last row has as many values as columns, and no line break behind it, cannot be told from one
      // that is written so.
      if (/,(|1|12\d{0,4})$/.test(cut.replace(/\r$/, ""))) continue;
      await empty();
      await importBytes(format, whole.subarray(0, end));
      for (const [id, record] of await stored(format))
        expect({ end, record }).toEqual({ end, record: records.get(id) });
    }
  });
});

describe("a file without a line break at its end", () => {
  const format = formats.find(({ name }) => name === "csv-plain");
  if (format === undefined) throw new Error("no csv");
  const without = Buffer.from(format.whole.subarray(0, -1));

  test("is whole where the source's files never had one", async () => {
    await empty();
    expect((await importBytes(format, without)).outcome).toBe("completed");
    expect((await importBytes(format, without)).outcome).toBe("completed");
    expect((await importBytes(format, format.whole)).outcome).toBe("completed");
    expect((await importBytes(format, without)).outcome).toMatch(
      /^failed: is cut short: it does not end with a line break/,
    );
    // A run that failed is nothing to go by.
    expect((await importBytes(format, without)).outcome).toMatch(/^failed/);
  });

  test("is whole once it is said to be", async () => {
    await empty();
    await importBytes(format, format.whole);
    expect((await importBytes(format, without, { isForced: true })).outcome).toBe("completed");
    expect((await importBytes(format, without)).outcome).toBe("completed");
  });
});

test("rows that cannot be read may be anybody's: nothing is archived for them", async () => {
  const format = formats.find(({ name }) => name === "csv-plain");
  if (format === undefined) throw new Error("no csv");
  await empty();
  await importBytes(format, format.whole);
  const broken = Buffer.from(Buffer.from(format.whole).toString().replace("\n5,", '\n5,"'));
  expect(await importBytes(format, broken)).toEqual({ outcome: "refused", archived: 0 });
});
