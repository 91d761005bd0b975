import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { importText } from "./helpers.ts";

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

const grants = (source: string, content: string, options = {}) =>
  importText(connection, "csv", content, { source, ...options });

async function stored(source: string, columns: string): Promise<unknown[]> {
  return await connection.query(`select ${columns} from funding.grants where source = $1 order by source_id`, [source]);
}

describe("an import", () => {
  test("again changes nothing, and a newer file changes the records that differ", async () => {
    const file = "id,title,funder,deadline\n1,One,F,2026-07-01\n2,Two,F,\n";
    expect(await grants("again", file)).toMatchObject({ read: 2, inserted: 2, updated: 0, unchanged: 0 });
    expect(await grants("again", file)).toMatchObject({ read: 2, inserted: 0, updated: 0, unchanged: 2 });
    expect(await grants("again", file.replace("Two", "Second"))).toMatchObject({
      inserted: 0,
      updated: 1,
      unchanged: 1,
    });
    expect(await stored("again", "title")).toEqual([{ title: "One" }, { title: "Second" }]);
  });

  test("goes on after bad rows, and says of each its line, its identifier and the reason", async () => {
    const file =
      'id,title,funder,deadline\n1,"Two\nlines",F,\n2,,F,\n3,"broken,F,\n4,Bad date,F,2026-02-30\n5,Fine,F,\n6,Surplus,F,,x,y\n';
    const { rejects, ...summary } = await grants("bad-rows", file);
    expect(summary).toMatchObject({ read: 6, inserted: 2, rejected: 4, repeated: 0 });
    expect(rejects).toEqual([
      { line: 4, source_id: "2", reason: "title is missing", row: { id: "2", title: "", funder: "F", deadline: "" } },
      { line: 5, source_id: null, reason: "the quotes of this line do not match", row: '3,"broken,F,' },
      {
        line: 6,
        source_id: "4",
        reason: 'deadline_date: "2026-02-30" is not a date that exists',
        row: expect.objectContaining({ title: "Bad date" }),
      },
      { line: 8, source_id: null, reason: "the row has 6 values for 4 columns", row: expect.any(String) },
    ]);
    expect(await stored("bad-rows", "title")).toEqual([{ title: "Two lines" }, { title: "Fine" }]);
  });

  test("rejects a row whose states are an object, and takes the others", async () => {
    const ndjson = (row: object) => `${JSON.stringify({ title: "T", funder: "F", ...row })}\n`;
    const rows = [
      { id: "1", state: { code: "OH", name: "Ohio" } },
      { id: "2", state: [{ city: "x", state: "OH" }] },
      { id: "3", state: [["OH"], "Iowa"] },
    ];
    const { rejects, ...summary } = await importText(connection, "ndjson", rows.map(ndjson).join(""), {
      source: "objects",
    });
    expect(summary).toMatchObject({ read: 3, inserted: 1, rejected: 2 });
    expect(rejects).toMatchObject([
      { line: 1, source_id: "1", reason: expect.stringMatching(/^states: .* is an object, not text$/) },
      { line: 2, source_id: "2", reason: expect.stringMatching(/^states: .* is an object, not text$/) },
    ]);
    expect(await stored("objects", "states")).toEqual([{ states: ["IA", "OH"] }]);
    const cell = 'id,title,funder,states\n1,T,F,"[{""code"":""OH""}]"\n2,T,F,OH\n';
    expect(await importText(undefined, "csv", cell)).toMatchObject({
      rejected: 1,
      rejects: [{ line: 2, source_id: "1", reason: expect.stringMatching(/^states: /) }],
    });
  });

  test("counts the rows that were read as blank in their last columns", async () => {
    const { noteEntries, rejected } = await importText(
      undefined,
      "csv",
      "id,title,funder,deadline\n1,A,F,2026-07-01\n2,B,F\n3,C,F,2026-07-01\n4,D,F\n",
    );
    const reason = "the row has fewer values than the header, and is blank in the rest";
    expect(noteEntries).toEqual([
      { line: 3, source_id: "2", field: null, value: null, reason },
      { line: 5, source_id: "4", field: null, value: null, reason },
    ]);
    expect(rejected).toBe(0);
  });

  test("of a repeated identifier keeps the first row, and names its line", async () => {
    const { rejects, ...summary } = await grants("repeats", "id,title,funder\n1,First,F\n2,Other,F\n1,Second,F\n");
    expect(summary).toMatchObject({ read: 3, inserted: 2, rejected: 0, repeated: 1 });
    expect(rejects).toMatchObject([
      { line: 4, source_id: "1", reason: "repeats the source_id of line 2, which was kept" },
    ]);
    expect(await stored("repeats", "title")).toEqual([{ title: "First" }, { title: "Other" }]);
  });

  test("takes the first good row of an identifier when an earlier one was rejected", async () => {
    const summary = await grants("good-after-bad", "id,title,funder\n1,,F\n1,Good,F\n");
    expect(summary).toMatchObject({ inserted: 1, rejected: 1, repeated: 0 });
  });

  test("of a row that the database refuses loses that row only, and gives the reason", async () => {
    // 9 kB of letters and digits without repetition: too long for the index on categories.
    const tooLong = Array.from({ length: 1_500 }, (_, index) => (index * 7_919_777).toString(36)).join("");
    const { rejects, ...summary } = await grants(
      "refused",
      `id,title,funder,categories\n1,Fine,F,\n2,Water,F,${tooLong}\n3,Also fine,F,\n`,
    );
    expect(summary).toMatchObject({ read: 3, inserted: 2, rejected: 1 });
    expect(rejects).toMatchObject([{ line: 3, source_id: "2", reason: expect.stringMatching(/^the database: /) }]);
  });

  test("that was cut short is completed by another run", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `${index},Grant ${index},F\n`);
    const stop = new AbortController();
    const file = `id,title,funder\n${rows.join("")}`;
    await expect(grants("cut-short", file, { signal: stop.signal, report: () => stop.abort() })).rejects.toThrow(
      "aborted",
    );
    expect(await stored("cut-short", "1")).toHaveLength(500);
    expect(await grants("cut-short", file)).toMatchObject({ read: 1_200, inserted: 700, unchanged: 500 });
  });

  test("gives opportunities of one funder one funder", async () => {
    await importText(connection, "csv", "id,name\n1,Acme Foundation\n", { dataset: "funders", source: "acme" });
    await grants("acme-grants", "id,title,funder\n1,A,ACME FOUNDATION\n2,B,Acme foundation\n");
    expect(
      await connection.query("select count(*)::int as count from funding.funders where name ilike 'acme foundation'"),
    ).toEqual([{ count: 1 }]);
  });

  test("of ndjson fills every field of a contract", async () => {
    const row = {
      noticeId: "c1",
      title: "Roof",
      body: "Repair",
      agency: { name: "GSA", code: "47" },
      naics: "238160",
      set_aside: "HUBZone",
      email: "Buyer@Example.gov",
      url: "sam.gov/opp/1",
      document_url: "https://sam.gov/1.pdf",
      states: ["Ohio"],
      deadline: "07/15/2026",
      posted: "2026-05-01",
      type: "Solicitation",
      active: "Yes",
      max: "$2,000,000.00",
      numbers: ["X-1", "X-2"],
    };
    const summary = await importText(connection, "ndjson", `${JSON.stringify(row)}\n`, {
      dataset: "contracts",
      source: "sam",
      maps: [
        "id=noticeId",
        "description=body",
        "funder=agency.name",
        "funder_source_id=agency.code",
        "classification=type",
        "status=active",
        "amount_max=max",
        "identifiers=numbers",
        "categories=type",
      ],
    });
    expect(summary).toMatchObject({ inserted: 1, rejects: [], noteEntries: [] });
    const [contract] = await connection.query(
      `select c.source_id, title, description, naics, set_aside_code, primary_contact_email, listing_url, document_url, states, geography, status,
         deadline_date::text, c.created_at::text, classification, amount_max, identifiers, categories, f.name as funder, f.source_id as funder_code
       from funding.contracts c join funding.funders f on f.id = funder_id where c.source = 'sam'`,
    );
    expect(contract).toEqual({
      source_id: "c1",
      title: "Roof",
      description: "Repair",
      naics: "238160",
      set_aside_code: "HZC",
      primary_contact_email: "buyer@example.gov",
      listing_url: "https://sam.gov/opp/1",
      document_url: "https://sam.gov/1.pdf",
      states: ["OH"],
      geography: "Ohio",
      status: "closed",
      deadline_date: "2026-07-15",
      created_at: "2026-05-01 00:00:00+00",
      classification: "opportunity",
      amount_max: 2_000_000,
      identifiers: ["X-1", "X-2"],
      categories: ["Solicitation"],
      funder: "GSA",
      funder_code: "47",
    });
  });

  test("counts what it left out of records", async () => {
    const { notes, inserted } = await importText(
      connection,
      "csv",
      "id,title,funder,naics\n1,A,F,12\n2,B,F,34\n3,C,F,541511\n",
      { dataset: "contracts", source: "notes" },
    );
    expect(inserted).toBe(3);
    const first = {
      line: 2,
      source_id: "1",
      field: "naics",
      value: "12",
      reason: "is not a six-digit NAICS code; left out",
    };
    expect(notes.list()).toEqual([{ count: 2, first }]);
  });

  test("that is a dry run asks for no database", async () => {
    expect(await importText(undefined, "csv", "id,title,funder\n1,A,F\n2,,F\n")).toMatchObject({
      read: 2,
      inserted: 0,
      rejected: 1,
    });
  });

  test("of a file without rows fails in one sentence, before the database is opened", async () => {
    const connect = () => Promise.reject(new Error("opened"));
    await expect(importText(undefined, "csv", "id,title,funder\n", { connect })).rejects.toThrow("has no rows");
    await expect(importText(undefined, "csv", "id,title,fundr\n1,A,F\n", { connect })).rejects.toThrow(
      "No column fills funder_name",
    );
  });
});
