import { describe, expect, test } from "vitest";
import { RowDecider } from "../../../../ingest/decide-row.ts";
import { isBroken } from "../../../../ingest/read/row.ts";
import { namedMapping } from "../../../../ingest/sources/named.ts";
import { samGov } from "../../../../ingest/sources/sam-gov.ts";
import { rowsOf } from "../helpers.ts";
import { recordIn, recordsIn } from "../source-records.ts";

/** A notice as SAM.gov's API v2 answers it. */
const notice = (id: number, changed: Record<string, unknown> = {}) => ({
  noticeId: String(id).padStart(32, "0"),
  title: `Notice ${id}`,
  solicitationNumber: `EX-${id}`,
  fullParentPathName: "DEPT OF DEFENSE.DEPT OF THE NAVY.NAVSUP.NAVSUP FLC EXAMPLE",
  fullParentPathCode: "017.1700.NAVSUP.N00001",
  postedDate: "2026-05-01",
  type: "Solicitation",
  baseType: "Presolicitation",
  archiveDate: "2027-02-25",
  typeOfSetAside: "SBA",
  typeOfSetAsideDescription: "Total Small Business Set-Aside (FAR 19.5)",
  responseDeadLine: "2026-12-10T10:00:00-05:00",
  naicsCode: "336611",
  naicsCodes: ["336611"],
  classificationCode: "J999",
  active: "Yes",
  award: null,
  pointOfContact: [
    { type: "secondary", email: "two@example.gov", fullName: "Contact Two" },
    { type: "primary", email: "one@example.gov", fullName: "Contact One", phone: "202-555-0101" },
  ],
  description: "https://api.example.gov/description",
  placeOfPerformance: {
    city: { code: "18000", name: "Columbus" },
    state: { code: "OH", name: "Ohio" },
    zip: "43215",
    country: { code: "USA", name: "UNITED STATES" },
  },
  uiLink: `https://example.gov/opp/${id}/view`,
  resourceLinks: ["https://example.gov/files/1", "https://example.gov/files/2"],
  ...changed,
});

const answer = { totalRecords: 2, limit: 10, offset: 0, opportunitiesData: [notice(1), notice(2)] };
const shapes: [string, string][] = [
  ["on one line", JSON.stringify(answer)],
  ["on several lines", JSON.stringify(answer, null, 2)],
  ["as a list", JSON.stringify(answer.opportunitiesData)],
  ["with a notice a line", answer.opportunitiesData.map((one) => JSON.stringify(one)).join("\n")],
  ["as pages one after the other", [1, 2].map((id) => JSON.stringify({ opportunitiesData: [notice(id)] })).join("\n")],
];

describe("sam-gov: an answer of the API", () => {
  test.each(shapes)("%s has the records that the daily file would have", async (_, content) => {
    const records = await recordsIn(samGov, content);
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      dataset: "contracts",
      record: {
        source: "sam-gov",
        source_id: "00000000000000000000000000000001",
        title: "Notice 1",
        // The API gives its address alone.
        description: "Notice 1",
        funder_name: "Department of the Navy",
        funder_source_id: "1700",
        deadline_date: "2026-12-10",
        states: ["OH"],
        naics: "336611",
        set_aside_code: "SBA",
        primary_contact_email: "one@example.gov",
        listing_url: "https://example.gov/opp/1/view",
        details: {
          opportunity_number: "EX-1",
          agency: ["Department of Defense", "Department of the Navy", "NAVSUP", "NAVSUP FLC EXAMPLE"],
          deadline_at: "2026-12-10T10:00:00-05:00",
          contact: { name: "Contact One", email: "one@example.gov", phone: "202-555-0101" },
          documents: [{ url: "https://example.gov/files/1" }, { url: "https://example.gov/files/2" }],
          place_of_performance: { city: "Columbus", state: "OH", zip: "43215", country: "USA" },
        },
      },
    });
  });

  test.each(shapes)("%s archives nothing, since it is a page", async (_, content) => {
    const rows = (await rowsOf(samGov.read, content, 64)).flatMap((row) => (isBroken(row) ? [] : [row.values]));
    expect(namedMapping(samGov)(rows).isFull).toBe(false);
  });

  test("a place abroad has no state, and a notice without a place is national", async () => {
    const abroad = { city: { name: "Chinhae" }, state: { code: "KR-48" }, country: { code: "KOR" } };
    expect(
      await recordIn(samGov, "contracts", JSON.stringify(notice(1, { placeOfPerformance: abroad }))),
    ).toMatchObject({ states: [], is_national: false, geography: "Chinhae, KOR" });
    for (const placeOfPerformance of [null, { country: { code: "USA" } }]) {
      const record = await recordIn(samGov, "contracts", JSON.stringify(notice(1, { placeOfPerformance })));
      expect(record).toMatchObject({ states: [], is_national: true });
    }
  });

  test("an award notice says who won", async () => {
    const award = {
      date: "2026-01-30",
      number: "EX26C0001",
      amount: "1234567.89",
      awardee: {
        name: "EXAMPLE LLC",
        ueiSAM: "EXAMPLEUEI01",
        location: { city: { name: "Dayton" }, state: { code: "OH" }, country: { code: "USA" } },
      },
    };
    expect(
      await recordIn(samGov, "contracts", JSON.stringify(notice(1, { type: "Award Notice", award }))),
    ).toMatchObject({
      classification: "awarded_project",
      deadline_date: null,
      amount_max: 1_234_567.89,
      description: "Awarded to: EXAMPLE LLC",
      identifiers: ["EX-1", "EX26C0001", "00000000000000000000000000000001"],
      details: {
        opportunity_number: "EX-1",
        award_number: "EX26C0001",
        obligated_amount: 1_234_567.89,
        recipient: { name: "EXAMPLE LLC", uei: "EXAMPLEUEI01", ein: null, city: "Dayton", state: "OH", country: "USA" },
      },
    });
  });

  test("JSON of another kind is refused", async () => {
    const rows = (await rowsOf(samGov.read, '{"a": 1}', 64)).flatMap((row) => (isBroken(row) ? [] : [row.values]));
    expect(() => namedMapping(samGov)(rows)).toThrow("is not a file of sam-gov: it has no Title, Type, Link");
  });

  test("a notice that lacks a title costs itself alone", async () => {
    const content = JSON.stringify({ opportunitiesData: [notice(1, { title: null }), notice(2)] });
    const rows = (await rowsOf(samGov.read, content, 64)).flatMap((row) => (isBroken(row) ? [] : [row]));
    const decider = new RowDecider(namedMapping(samGov)(rows.map(({ values }) => values)));
    const decisions = [];
    for (const row of rows) decisions.push((await decider.decide(row)).kind);
    expect(decisions).toEqual(["rejected", "records"]);
  });
});

test.each([
  ["INVENTED BOILERS LLC  Fairbanks AK 99703 USA", "INVENTED BOILERS LLC", "Fairbanks", "AK", "USA"],
  ["Smith & Sons, Inc. San Juan PR 00901-1234 USA", "Smith & Sons, Inc.", "San Juan", "PR", "USA"],
  ["EXAMPLE UNIVERSITY Columbus OH 43215 USA", "EXAMPLE UNIVERSITY Columbus", null, "OH", "USA"],
  ["INVENTED BOILERS LLC", "INVENTED BOILERS LLC", null, null, null],
])("the daily file's awardee %j", async (Awardee, name, city, state, country) => {
  const row = { NoticeId: "1".repeat(32), Title: "T", Type: "Award Notice", Link: "https://example.gov/1" };
  const columns = Object.entries({ ...row, "Sub-Tier": "A", Awardee });
  const content = `${columns.map(([column]) => column).join(",")}\n${columns.map(([, value]) => `"${value}"`).join(",")}\n`;
  const record = await recordIn(samGov, "contracts", content);
  expect(record.details?.recipient).toEqual({ name, uei: null, ein: null, city, state, country });
});

test.each(["Agency", "Department Path"])("a table with UI Link and %s is read by its other names", async (agency) => {
  const content = `Notice ID,Title,Solicitation Number,${agency},Type,Posted Date,Response Deadline,Active,UI Link\n${"1".repeat(32)},T,N-1,"VETERANS AFFAIRS, DEPARTMENT OF.VETERANS HEALTH ADMINISTRATION.36C",Solicitation,2026-04-28,2027-05-28T13:00:00-04:00,Yes,https://example.gov/1\n`;
  expect(await recordIn(samGov, "contracts", content)).toMatchObject({
    source_id: "1".repeat(32),
    funder_name: "Veterans Health Administration",
    deadline_date: "2027-05-28",
    created_at: "2026-04-28T00:00:00.000Z",
    listing_url: "https://example.gov/1",
    identifiers: ["N-1", "1".repeat(32)],
  });
});
