import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { deleteRecord, findRecord, hideRecord } from "../../database/records.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { runImport } from "../../ingest/run-import.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { samGov } from "../../ingest/sources/sam-gov.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { chunksOf, importText } from "../unit/ingest/helpers.ts";
import { csvOf } from "../unit/ingest/source-records.ts";

/** Notices of one solicitation, and one opportunity from two sources, are linked by what writes them. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

beforeEach(() =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.imports, funding.version_links_due",
  ),
);

afterAll(() => connection.close());

interface Notice {
  id: string;
  number?: string;
  title?: string;
  type?: string;
  posted?: string;
  department?: string;
  agency?: string;
  office?: string;
  archived?: boolean;
}

const title = "Renewal of the Boiler Plant";
const presolicitation: Notice = { id: "a1", type: "Presolicitation", posted: "2026-03-01" };
const solicitation: Notice = { id: "a2", posted: "2026-04-01", title: `Solicitation: ${title}` };
const amendment: Notice = { id: "a3", posted: "2026-05-01", title: `${title} - Amendment 0002` };

/** SAM.gov's file of these notices. */
function fileOf(...notices: Notice[]): string {
  return `${csvOf(
    ...notices.map((notice) => ({
      NoticeId: notice.id,
      Title: notice.title ?? title,
      "Sol#": notice.number ?? "W912-26-R-0001",
      "Department/Ind.Agency": notice.department ?? "DEPT OF DEFENSE",
      "Sub-Tier": notice.agency ?? "DEPT OF THE ARMY",
      Office: notice.office ?? "W912 ENDIST",
      PostedDate: notice.posted ?? "2026-04-01",
      Type: notice.type ?? "Solicitation",
      BaseType: notice.type ?? "Solicitation",
      ResponseDeadLine: "2096-07-01T15:00:00-04:00",
      Active: notice.archived ? "No" : "Yes",
      Link: `https://sam.gov/opp/${notice.id}/view`,
      Description: "Two boilers",
    })),
  )}\n`;
}

/** Imports SAM.gov's full list of notices. */
async function run(...notices: Notice[]) {
  const summary = emptySummary();
  await runImport(readFiles([{ chunks: chunksOf(fileOf(...notices), 1_000) }], samGov.read), {
    prepare: namedMapping(samGov),
    connect: () => Promise.resolve([connection]),
    importer: "sam-gov",
    file: "file",
    asOf: new Date(),
    isForced: true,
    rejects: { write: async () => undefined },
    summary,
  });
  return summary.records.get("contracts");
}

/** Notices with the one that lists show in their place. */
async function links(dataset = "contracts"): Promise<Record<string, string | null>> {
  const rows = await connection.query<{ id: string; shown: string | null }>(
    `select record.source_id as id, shown.source_id as shown
     from funding.${dataset} as record left join funding.${dataset} as shown on shown.id = record.superseded_by order by 1`,
  );
  return Object.fromEntries(rows.map(({ id, shown }) => [id, shown]));
}

const idOf = async (source_id: string) => {
  const [row] = await connection.query<{ id: string }>("select id from funding.contracts where source_id = $1", [
    source_id,
  ]);
  return row?.id ?? "";
};

describe("notices of one solicitation", () => {
  test("are one opportunity, whose newest notice lists show, in whatever order they come", async () => {
    await run(solicitation, amendment, presolicitation);
    expect(await links()).toEqual({ a1: "a3", a2: "a3", a3: null });
  });

  test("are linked by later imports, and the one that was shown gives way", async () => {
    await run(presolicitation);
    await run(presolicitation, solicitation);
    expect(await links()).toEqual({ a1: "a2", a2: null });
    await run(presolicitation, solicitation, amendment);
    expect(await links()).toEqual({ a1: "a3", a2: "a3", a3: null });
  });

  test("show an earlier one again when the newest is no longer listed, and the newest again when it returns", async () => {
    await run(presolicitation, solicitation, amendment);
    await run(presolicitation, solicitation);
    expect(await links()).toEqual({ a1: "a2", a2: null, a3: "a2" });
    await run(presolicitation, solicitation, amendment);
    expect(await links()).toEqual({ a1: "a3", a2: "a3", a3: null });
  });

  test("show the newest when its publisher archived all", async () => {
    await run({ ...presolicitation, archived: true }, { ...solicitation, archived: true });
    expect(await links()).toEqual({ a1: "a2", a2: null });
  });

  test("follow a planned archive date when it comes", async () => {
    await run(presolicitation, solicitation);
    await connection.query(
      "update funding.contracts set stated_archived_at = now() - interval '1 day' where source_id = 'a2'",
    );
    await connection.query("select public.apply_due_dates(100)");
    expect(await links()).toEqual({ a1: null, a2: "a1" });
  });

  test("are free of one that was deleted or hidden", async () => {
    await run(presolicitation, solicitation, amendment);
    const deleted = await findRecord(connection, await idOf("a3"));
    if (deleted !== undefined) await deleteRecord(connection, deleted);
    expect(await links()).toEqual({ a1: "a2", a2: null });
    const hidden = await findRecord(connection, await idOf("a2"));
    if (hidden !== undefined) await hideRecord(connection, hidden);
    expect(await links()).toEqual({ a1: null, a2: null });
  });

  test("are free of one whose publisher corrected its number", async () => {
    await run(presolicitation, solicitation);
    await run(presolicitation, { ...solicitation, number: "W912-26-R-0009" });
    expect(await links()).toEqual({ a1: null, a2: null });
    await run({ ...presolicitation, number: "W912-26-R-0009" }, { ...solicitation, number: "W912-26-R-0009" });
    expect(await links()).toEqual({ a1: "a2", a2: null });
  });

  test("that are repeated leave the records as they are, and one import changes no other opportunity", async () => {
    const others: Notice[] = [
      { id: "b1", number: "N001-26-Q-0002" },
      { id: "b2", number: "N001-26-Q-0002", posted: "2026-05-01" },
    ];
    await run(presolicitation, solicitation, ...others);
    const state = () =>
      connection.query<{ source_id: string }>(
        "select source_id, xmin::text, updated_at from funding.contracts order by source_id",
      );
    const before = await state();
    await run(presolicitation, solicitation, ...others);
    expect(await state()).toEqual(before);
    await run(presolicitation, solicitation, amendment, ...others);
    const ofOthers = ({ source_id }: { source_id: string }) => source_id.startsWith("b");
    expect((await state()).filter(ofOthers)).toEqual(before.filter(ofOthers));
  });

  test("get the time of the change: the feed brings what lists show from now on, or no longer", async () => {
    await run(presolicitation, solicitation);
    const updatedAt = async () => {
      const sql = "select updated_at from funding.contracts where source_id = 'a1'";
      return Number((await queryOne<{ updated_at: Date }>(connection, sql)).updated_at);
    };
    const before = await updatedAt();
    await run(presolicitation);
    expect(await updatedAt()).toBeGreaterThan(before);
  });
});

describe("two opportunities are two", () => {
  const one: Notice = { id: "c1", posted: "2026-03-01" };
  test.each<[why: string, first: Notice, second: Notice]>([
    ["by title alone", { ...one, number: "W912-26-R-0001" }, { id: "c2", number: "W912-26-R-0002" }],
    ["of other agencies", one, { id: "c2", agency: "DEPT OF THE NAVY" }],
    ["with other titles", one, { id: "c2", title: "Repair of the Harbour Wall" }],
    ["of other lots", { ...one, title: `${title}, Lot 1` }, { id: "c2", title: `${title}, Lot 2` }],
    ["of other years", { ...one, title: `${title} FY2025` }, { id: "c2", title: `${title} FY2026` }],
    ["of an opening and its call", one, { id: "c2", title: `${title} Call 01` }],
    ["of other phases", { ...one, title: `${title} Phase I` }, { id: "c2", title: `${title} Phase II` }],
    ["with a number that says nothing", { ...one, number: "TBD" }, { id: "c2", number: "TBD" }],
    ["with a short number", { ...one, number: "RFQ-1" }, { id: "c2", number: "RFQ-1" }],
    ["whose titles say nothing", { ...one, title: "Solicitation" }, { id: "c2", title: "Solicitation" }],
    ["of an award", one, { id: "c2", type: "Award Notice" }],
    ["without a number", { ...one, number: "" }, { id: "c2", number: "" }],
  ])("%s", async (_, first, second) => {
    await run(first, second);
    expect(await links()).toEqual({ c1: null, c2: null });
  });

  test("where a number that more than two hundred have says nothing", async () => {
    await run(...Array.from({ length: 201 }, (_, index) => ({ id: `d${index}` })));
    expect(Object.values(await links()).filter((shown) => shown !== null)).toEqual([]);
  });
});

describe("two notices are one", () => {
  const one: Notice = { id: "c1", posted: "2026-03-01" };
  test.each<[why: string, first: Notice, second: Notice]>([
    ["of other offices of an agency", one, { id: "c2", office: "W913 ENDIST" }],
    ["with the number in another spelling", one, { id: "c2", number: "W91226R0001" }],
    ["with the number of an amendment", one, { id: "c2", number: "W912-26-R-0001 Amendment 2" }],
    [
      "with the number in the title",
      { ...one, title: `W912-26-R-0001 ${title}` },
      { id: "c2", title: `${title} (W912-26-R-0001)` },
    ],
    ["with the code of a product", { ...one, title: `J044--${title}` }, { id: "c2" }],
  ])("%s", async (_, first, second) => {
    await run(first, second);
    expect(await links()).toEqual({ c1: "c2", c2: null });
  });
});

describe("an opportunity from two sources", () => {
  const csv = (agency: string, posted: string) =>
    `source_id,opportunity_number,title,description,agency,funder_name,status,created_at\nX-1,EPA-R9-26-001,Clean Harbours Program,Text,${agency},${agency},posted,${posted}\n`;

  test("is linked by its number, agency and title; the agency may be an abbreviation or the department alone", async () => {
    await importText(connection, "csv", csv("Environmental Protection Agency", "2026-04-01"), { source: "one" });
    await importText(connection, "csv", csv("EPA", "2026-04-02").replace("X-1", "X-2"), { source: "two" });
    expect(await links("grants")).toEqual({ "X-1": "X-2", "X-2": null });
    await importText(connection, "csv", csv("Department of Energy", "2026-04-03").replace("X-1", "X-3"), {
      source: "three",
    });
    expect(await links("grants")).toEqual({ "X-1": "X-2", "X-2": null, "X-3": null });
  });
});

describe("opportunities that an earlier version brought", () => {
  test("are linked by upkeep", async () => {
    await run(presolicitation, solicitation);
    await connection.execute("update funding.contracts set superseded_by = null");
    await connection.execute(
      "insert into funding.version_links_due (dataset, key) select 'contracts', funding.version_key(details) from funding.contracts",
    );
    await sealRecords(connection);
    expect(await links()).toEqual({ a1: "a2", a2: null });
    expect(await connection.query("select from funding.version_links_due")).toEqual([]);
  });
});
