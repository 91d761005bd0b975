import { describe, expect, test } from "vitest";
import { importOptions, parseImportCommand } from "../../../cli/import/options.ts";
import { parseArgs } from "../../../cli/options.ts";
import { normalize } from "../../../ingest/normalize/normalize.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { isBroken } from "../../../ingest/read/row.ts";
import { createGenericReader, genericMapping } from "../../../ingest/sources/generic.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import { samGov } from "../../../ingest/sources/sam-gov.ts";
import { isNoRecord, type Source } from "../../../ingest/sources/source.ts";
import { usaspending } from "../../../ingest/sources/usaspending.ts";
import { all, chunksOf, rowsOf } from "./helpers.ts";

/** Files of a known publisher that its source does not read: the error names them, and the command in it imports them. */

const notice = (id: number, path: string) => ({
  noticeId: `${id}`.padStart(32, "0"),
  title: `Notice ${id}`,
  solicitationNumber: `N-${id}`,
  fullParentPathName: path,
  postedDate: "2026-05-01",
  type: "Solicitation",
  typeOfSetAside: null,
  responseDeadLine: "2026-12-10T10:00:00-05:00",
  naicsCode: "336611",
  classificationCode: "J999",
  pointOfContact: [
    { type: "primary", email: "one@example.gov" },
    { type: "secondary", email: "two@example.gov" },
  ],
  description: "https://api.example.gov/description",
  placeOfPerformance: {
    state: { code: "OH", name: "Ohio" },
    zip: "43215",
    country: { code: "USA", name: "UNITED STATES" },
  },
  uiLink: `https://example.gov/opp/${id}/view`,
  resourceLinks: ["https://example.gov/files/1"],
});
const notices = [
  notice(1, "DEPT OF DEFENSE.DEPT OF THE NAVY.NAVSUP.NAVSUP FLC EXAMPLE"),
  notice(2, "DEPT OF DEFENSE.DEPT OF THE NAVY.NAVSEA"),
  notice(3, "GENERAL SERVICES ADMINISTRATION"),
];

/** Reads a file as the source, and returns the command that the error gives for it, in words. */
async function adviceOf(source: Source, content: string): Promise<string[]> {
  const reading = async () =>
    namedMapping(source)(
      (await rowsOf(source.read, content, 65_536)).flatMap((row) => (isBroken(row) ? [] : [row.values])),
    );
  const error = await reading().then(
    () => new Error("it was read"),
    (failure: Error) => failure,
  );
  const [, command = ""] = /`npm run import -- (.*)`$/.exec(error.message) ?? [undefined, error.message];
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/** Records that a command makes of a file, and the summary of what failed. */
async function recordsBy(words: readonly string[], content: string) {
  const { kind, source } = parseImportCommand(
    parseArgs({ args: [...words], options: importOptions, allowPositionals: true }),
  );
  if ("source" in kind) throw new Error("expected a mapping");
  const rows = await all(
    readFiles([{ chunks: chunksOf(content) }], createGenericReader(kind.format, kind.request).read),
  );
  const values = rows.flatMap((row) => (isBroken(row) ? [] : [row.values]));
  const mapping = genericMapping(kind.request, source, "mdy", kind.format)(values);
  return values.map((row) => {
    const mapped = mapping.map(row);
    if (isNoRecord(mapped)) throw new Error(mapped.reason);
    return normalize(mapped[0] ?? expect.fail(), { source, note: () => undefined }).record;
  });
}

describe("a file that its source does not read", () => {
  test.each([
    ["on one line", JSON.stringify({ totalRecords: 3, opportunitiesData: notices })],
    ["over several lines", JSON.stringify({ totalRecords: 3, opportunitiesData: notices }, null, 2)],
    ["one notice a line", notices.map((one) => JSON.stringify(one)).join("\n")],
  ])("an answer of SAM.gov's API %s", async (_, content) => {
    const records = await recordsBy(await adviceOf(samGov, content), content);
    expect(records).toMatchObject([
      {
        source: "sam-gov",
        source_id: "00000000000000000000000000000001",
        title: "Notice 1",
        description: "Notice 1",
        funder_name: "Department of the Navy",
        deadline_date: "2026-12-10",
        states: ["OH"],
        naics: "336611",
        primary_contact_email: "one@example.gov",
        listing_url: "https://example.gov/opp/1/view",
        details: { agency: ["Department of Defense", "Department of the Navy", "NAVSUP", "NAVSUP FLC EXAMPLE"] },
      },
      { funder_name: "Department of the Navy" },
      { funder_name: "General Services Administration" },
    ]);
  });

  test("a table of SAM.gov's notices with other names", async () => {
    for (const agency of ["Agency", "Department Path"]) {
      const content = `Notice ID,Title,Solicitation Number,${agency},Type,Posted Date,Response Deadline,Active,UI Link\n${"1".repeat(32)},T,N-1,"VETERANS AFFAIRS, DEPARTMENT OF.VETERANS HEALTH ADMINISTRATION.36C",Solicitation,2026-04-28,2027-05-28T13:00:00-04:00,Yes,https://example.gov/1\n`;
      expect(await recordsBy(await adviceOf(samGov, content), content)).toMatchObject([
        {
          source_id: "1".repeat(32),
          funder_name: "Veterans Health Administration",
          deadline_date: "2027-05-28",
          listing_url: "https://example.gov/1",
        },
      ]);
    }
  });

  test("assistance awards of USAspending", async () => {
    const content =
      "assistance_award_unique_key,award_id_fain,total_obligated_amount,award_base_action_date,period_of_performance_current_end_date,awarding_agency_name,awarding_sub_agency_name,recipient_name,primary_place_of_performance_state_name,prime_award_base_transaction_description\n" +
      "ASST_NON_1_1,90X,1000.00,2024-09-30,2027-09-29,Department of Health and Human Services,Administration for Children and Families,EXAMPLE CENTER,OHIO,Text\n" +
      "ASST_NON_2_1,91X,2000.00,2024-09-30,2027-09-29,Department of Health and Human Services,,EXAMPLE TRIBE,OHIO,\n";
    expect(await recordsBy(await adviceOf(usaspending, content), content)).toMatchObject([
      {
        source_id: "ASST_NON_1_1",
        title: "Text",
        classification: "awarded_project",
        amount_max: 1_000,
        states: ["OH"],
        project_end_date: "2027-09-29",
      },
      { title: "91X", funder_name: "Department of Health and Human Services" },
    ]);
  });

  test("any other JSON is told to be JSON", async () => {
    expect((await adviceOf(samGov, '{"a": 1}')).join(" ")).toBe(
      "begins like JSON, and sam-gov reads CSV; ndjson reads JSON with a mapping",
    );
  });
});

test.each([
  ["fullParentPathName", "DEPT OF DEFENSE.DEPT OF THE ARMY.AMC.ACC", "Department of the Army"],
  [
    "fullParentPathName",
    "GENERAL SERVICES ADMINISTRATION.PUBLIC BUILDINGS SERVICE.PBS R00",
    "Public Buildings Service",
  ],
  ["agency", "LABOR, DEPARTMENT OF.BUREAU OF LABOR STATISTICS", "Bureau of Labor Statistics"],
  ["agency", "ST.LOUIS COUNTY", "ST.LOUIS COUNTY"],
  ["agency", "example.org Foundation", "example.org Foundation"],
  ["agency", "Department of Parks.Trails", "Department of Parks.Trails"],
])("a funder from %s, %s, is %s", (column, value, name) => {
  const row = { title: "T", [column]: value };
  const mapped = genericMapping(
    { dataset: "grants", maps: [`funder=${column}`], sets: [], pads: [] },
    "test",
  )([row]).map(row);
  if (isNoRecord(mapped)) throw new Error(mapped.reason);
  expect(mapped[0]?.values.get("funder_name")).toEqual([name]);
});
