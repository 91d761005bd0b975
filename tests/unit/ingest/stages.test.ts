import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import type { Reject } from "../../../ingest/entry-file.ts";
import { importRows } from "../../../ingest/import-rows.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { grantsGov } from "../../../ingest/sources/grants-gov.ts";
import { grantsGovSearch2 } from "../../../ingest/sources/grants-gov-search2.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import type { Source } from "../../../ingest/sources/source.ts";
import { emptySummary } from "../../../ingest/summary.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { chunksOf } from "./helpers.ts";

/** Several rows of one opportunity in one file: the later stage and the later version are the record, in whatever order they come. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

async function importAs(source: Source, contents: string[]) {
  const summary = emptySummary();
  const rejects: Reject[] = [];
  const files = contents.map((content, index) => ({ label: `${index}`, chunks: chunksOf(content, 65_536) }));
  await importRows(readFiles(files, source.read), {
    prepare: namedMapping(source),
    summary,
    rejects: { write: async (more) => void rejects.push(...more) },
    connect: () => Promise.resolve([connection]),
  });
  return { ...summary, ...summary.records.get("grants"), rejects };
}

const stored = async (id: string) =>
  (
    await connection.query<{ title: string; status: string }>(
      "select title, status from funding.grants where source = 'grants-gov' and source_id = $1",
      [id],
    )
  )[0];

const row = (stage: "Forecast" | "Synopsis", id: number, version: number) => {
  const element = `Opportunity${stage}Detail_1_0`;
  return `<${element}><OpportunityID>${id}</OpportunityID><OpportunityTitle>${stage} ${version}</OpportunityTitle><OpportunityNumber>N-${id}</OpportunityNumber><AgencyName>Example Agency</AgencyName><PostDate>06012026</PostDate><Version>${stage} ${version}</Version></${element}>`;
};
const extract = (...rows: string[]) => `<?xml version="1.0"?>\n<Grants>\n${rows.join("\n")}\n</Grants>\n`;

describe("of the rows of one opportunity", () => {
  const [forecast, forecast2] = [row("Forecast", 1, 1), row("Forecast", 1, 2)];
  const [synopsis, synopsis2] = [row("Synopsis", 1, 1), row("Synopsis", 1, 2)];

  test.each([
    ["a forecast before its synopsis", [forecast, synopsis], "Synopsis 1"],
    ["a forecast behind its synopsis", [synopsis, forecast], "Synopsis 1"],
    ["a later version of the forecast", [forecast2, synopsis, forecast], "Synopsis 1"],
    ["versions of a synopsis", [synopsis, synopsis2, forecast2], "Synopsis 2"],
    ["versions of a synopsis, the later first", [synopsis2, synopsis], "Synopsis 2"],
    ["versions of a forecast", [forecast, forecast2], "Forecast 2"],
  ])("%s, the later stage is the record, and importing again changes nothing", async (_, rows, title) => {
    await connection.query("delete from funding.grants");
    const first = await importAs(grantsGov, [extract(...rows)]);
    expect(first).toMatchObject({ inserted: 1, updated: 0, repeated: rows.length - 1, rejected: 0 });
    expect(await stored("1")).toMatchObject({ title });
    expect(first.rejects.every(({ reason }) => /which was kept|has a later version of the record/.test(reason))).toBe(
      true,
    );
    expect(await importAs(grantsGov, [extract(...rows)])).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 });
  });

  test("far apart, the later stage is the record, too", async () => {
    const others = Array.from({ length: 1_200 }, (_, index) => row("Synopsis", 1_000 + index, 1));
    await importAs(grantsGov, [extract(forecast, synopsis, ...others, synopsis2, forecast2)]);
    expect(await stored("1")).toMatchObject({ title: "Synopsis 2" });
  });

  test("in pages of the API, the synopsis is the record", async () => {
    const hit = (docType: string) => ({
      id: "2",
      number: "N-2",
      title: docType,
      agency: "Example Agency",
      oppStatus: docType === "forecast" ? "forecasted" : "posted",
      openDate: "06/01/2026",
      docType,
    });
    const pages = ["forecast", "synopsis"].map((type) => JSON.stringify({ data: { oppHits: [hit(type)] } }));
    for (const order of [pages, pages.toReversed()]) {
      await importAs(grantsGovSearch2, order);
      expect(await stored("2")).toMatchObject({ title: "synopsis", status: "posted" });
    }
  });
});

test("a forecast before a fault in the file is imported", async () => {
  const content = extract(row("Forecast", 7, 1), row("Synopsis", 8, 1)).replace(
    "</Grants>",
    "<OpportunitySynopsisDetail_1_0><Op",
  );
  await expect(importAs(grantsGov, [content])).rejects.toThrow();
  expect(await stored("7")).toMatchObject({ status: "forecasted" });
});

test("a floor above the ceiling is left out with a note, by the extract and the API", async () => {
  const amounts = "<AwardCeiling>500</AwardCeiling><AwardFloor>1000</AwardFloor>";
  const content = extract(row("Synopsis", 9, 1).replace("<Version>", `${amounts}<Version>`));
  const answer = {
    id: 9,
    opportunityTitle: "T",
    synopsis: { awardFloor: "1000", awardCeiling: "500", agencyName: "A" },
  };
  const note = { field: "amount_min", value: "1000", reason: "is a floor above the ceiling; left out" };
  for (const result of [
    await importAs(grantsGov, [content]),
    await importAs(grantsGovSearch2, [JSON.stringify({ data: answer })]),
  ])
    expect(result.notes.list()).toMatchObject([{ count: 1, first: note }]);
});
