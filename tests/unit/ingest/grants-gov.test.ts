import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { normalize } from "../../../ingest/normalize/normalize.ts";
import type { RecordUpdate } from "../../../ingest/record.ts";
import { grantsGov } from "../../../ingest/sources/grants-gov.ts";
import { grantsGovSearch2 } from "../../../ingest/sources/grants-gov-search2.ts";
import { isNoRecord, type RawRow, type Source } from "../../../ingest/sources/source.ts";
import { rowsOf } from "./helpers.ts";

/** The record that a raw row is. */
function recordOf(source: Source, row: RawRow): RecordUpdate<"grants"> {
  const mapped = source.map(row);
  if (isNoRecord(mapped) || mapped[0] === undefined) throw new Error("no record");
  const { record } = normalize(mapped[0], { source: "grants-gov", note: () => undefined });
  return record as RecordUpdate<"grants">;
}

const synopsis = (row: RawRow) =>
  recordOf(grantsGov, {
    element: "OpportunitySynopsisDetail_1_0",
    OpportunityID: "300001",
    OpportunityTitle: "Clean Water",
    AgencyName: "Office of Water",
    ...row,
  });
const forecast = (row: RawRow) => synopsis({ element: "OpportunityForecastDetail_1_0", ...row });

describe("grants-gov", () => {
  test("a synopsis fills the record, field by field", async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Grants xmlns="http://apply.grants.gov/system/OpportunityDetail-V1.0">
   <OpportunitySynopsisDetail_1_0>
      <OpportunityID>300001</OpportunityID>
      <OpportunityTitle>Clean Water &amp;ndash; Round 2</OpportunityTitle>
      <OpportunityNumber>EPA-OW-26-01</OpportunityNumber>
      <OpportunityCategory>D</OpportunityCategory>
      <FundingInstrumentType>G</FundingInstrumentType>
      <CategoryOfFundingActivity>ENV</CategoryOfFundingActivity>
      <CategoryOfFundingActivity>ZZ</CategoryOfFundingActivity>
      <CFDANumbers>66.460</CFDANumbers>
      <CFDANumbers>66.461</CFDANumbers>
      <AgencyCode>EPA-OW</AgencyCode>
      <AgencyName>Office of Water</AgencyName>
      <PostDate>04152026</PostDate>
      <CloseDate>07012026</CloseDate>
      <LastUpdatedDate>04162026</LastUpdatedDate>
      <AwardCeiling>500000</AwardCeiling>
      <AwardFloor>0</AwardFloor>
      <Description>&lt;p&gt;Clean water for &lt;b&gt;everyone&lt;/b&gt;, it&amp;rsquo;s&lt;/p&gt;&lt;ul&gt;&lt;li&gt;rivers&lt;/li&gt;&lt;li&gt;lakes&lt;/li&gt;&lt;/ul&gt;</Description>
      <ArchiveDate>07312026</ArchiveDate>
   </OpportunitySynopsisDetail_1_0>
</Grants>`;
    const [row] = await rowsOf(grantsGov.read, xml);
    if (row === undefined || !("values" in row)) throw new Error("no row");
    expect(recordOf(grantsGov, row.values ?? {})).toEqual({
      source: "grants-gov",
      source_id: "300001",
      title: "Clean Water – Round 2",
      description: "Clean water for everyone, it’s\n\n- rivers\n- lakes",
      amount_min: null,
      amount_max: 500_000,
      deadline_date: "2026-07-01",
      project_end_date: null,
      status: "posted",
      classification: "opportunity",
      states: [],
      is_national: true,
      geography: "National",
      funder_name: "Office of Water",
      funder_source_id: "EPA-OW",
      listing_url: "https://www.grants.gov/search-results-detail/300001",
      created_at: "2026-04-15T00:00:00.000Z",
      archived_at: "2026-07-31T00:00:00.000Z",
      categories: ["Environment", "ZZ"],
      identifiers: ["EPA-OW-26-01", "66.460", "66.461", "300001"],
      details: {
        agency: ["Environmental Protection Agency", "Office of Water"],
        assistance_listings: [
          {
            number: "66.460",
            title: null,
          },
          {
            number: "66.461",
            title: null,
          },
        ],
        deadline_assumed: true,
        deadline_at: "2026-07-01T23:59:00-04:00",
        funding_instrument: ["grant"],
        notice_type: "Synopsis",
        opportunity_number: "EPA-OW-26-01",
      },
    });
  });

  test.each([
    [{ CloseDate: "04302026" }, { status: "posted", archived_at: null }],
    [
      { CloseDate: "04302026", ArchiveDate: "05302026" },
      { status: "posted", archived_at: "2026-05-30T00:00:00.000Z" },
    ],
    [{}, { status: "posted", deadline_date: null }],
  ])("a synopsis with %j states %j, whatever the day", (row, expected) => {
    expect(synopsis(row)).toMatchObject(expected);
  });

  test("a forecast states the day that it expects as deadline, and its archive date", () => {
    const row = { EstimatedSynopsisCloseDate: "09012026", EstimatedSynopsisPostDate: "07012026" };
    expect(forecast(row)).toMatchObject({ status: "forecasted", deadline_date: "2026-09-01", archived_at: null });
    expect(forecast({ ...row, ArchiveDate: "05012026" })).toMatchObject({
      status: "forecasted",
      archived_at: "2026-05-01T00:00:00.000Z",
    });
  });

  test.each([
    [
      { AwardCeiling: "none", AwardFloor: "0" },
      { amount_max: null, amount_min: null },
    ],
    [
      { AwardCeiling: "0", AwardFloor: "1000" },
      { amount_max: null, amount_min: 1_000 },
    ],
    [
      { AwardCeiling: "500", AwardFloor: "5000" },
      { amount_max: 500, amount_min: null },
    ],
    [
      { AwardCeiling: "500", AwardFloor: "500" },
      { amount_max: 500, amount_min: 500 },
    ],
  ])("amounts %j are %j", (row, expected) => {
    expect(synopsis(row)).toMatchObject(expected);
  });

  test("a mission abroad gives in its country, and everybody else in the whole nation", () => {
    expect(synopsis({ AgencyName: "U.S. Mission to Indonesia" })).toMatchObject({
      is_national: false,
      states: [],
      geography: "Indonesia",
    });
    expect(synopsis({ AgencyName: "U.S. Embassy in the Bahamas" }).geography).toBe("Bahamas");
    expect(synopsis({ AgencyName: "U.S. Fish and Wildlife Service" }).is_national).toBe(true);
  });

  test("an agency without a name goes by its code", () => {
    expect(synopsis({ AgencyName: undefined, AgencyCode: "DOD-X" })).toMatchObject({
      funder_name: "DOD-X",
      funder_source_id: "DOD-X",
    });
  });
});

const schemaPath = fileURLToPath(new URL("../../../../shared/data/grants/grants-gov-extract.xsd", import.meta.url));

describe.skipIf(!existsSync(schemaPath))("the extract's published schema", () => {
  /** The names of the children that each element of the schema may have. */
  async function childrenByElement(): Promise<Map<string, Set<string>>> {
    const schema = readFileSync(schemaPath, "utf8");
    const blocks = schema.split(/<xs:element name="(Opportunity\w+_1_0)">/).slice(1);
    const found = new Map<string, Set<string>>();
    for (let index = 0; index < blocks.length; index += 2) {
      const [block = ""] = (blocks[index + 1] ?? "").split("</xs:complexType>");
      found.set(
        blocks[index] ?? "",
        new Set([...block.matchAll(/<xs:element name="(\w+)"/g)].map(([, name]) => name ?? "")),
      );
    }
    return found;
  }

  test.each(["OpportunitySynopsisDetail_1_0", "OpportunityForecastDetail_1_0"])(
    "has every element that is read of %s",
    async (element) => {
      const read = new Set<string>();
      const row = new Proxy<RawRow>(
        { element },
        {
          get(target, name) {
            if (typeof name === "string") read.add(name);
            return Reflect.get(target, name);
          },
        },
      );
      grantsGov.map(row);
      read.delete("element");
      const known = (await childrenByElement()).get(element) ?? new Set();
      expect(read.size).toBeGreaterThan(12);
      expect([...read].filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

describe("grants-gov-search2", () => {
  const page = (...hits: unknown[]) => JSON.stringify({ errorcode: 0, data: { hitCount: hits.length, oppHits: hits } });
  const hit = {
    id: "300002",
    number: "HHS-1",
    title: "Healthy Cooking &amp; More",
    agencyCode: "HHS-X",
    agency: "Health Office",
    openDate: "05/03/2026",
    closeDate: "08/17/2026",
    oppStatus: "posted",
    docType: "synopsis",
    cfdaList: ["93.990"],
  };

  async function recordIn(answer: string): Promise<RecordUpdate<"grants">> {
    const [row] = await rowsOf(grantsGovSearch2.read, answer);
    if (row === undefined || "reason" in row) throw new Error("no row");
    return recordOf(grantsGovSearch2, row.values);
  }

  test("a hit gives what the page knows of the extract's record, and nothing else", async () => {
    expect(await recordIn(page(hit))).toEqual({
      source: "grants-gov",
      source_id: "300002",
      title: "Healthy Cooking & More",
      deadline_date: "2026-08-17",
      status: "posted",
      archived_at: null,
      states: [],
      is_national: true,
      geography: "National",
      funder_name: "Health Office",
      funder_source_id: "HHS-X",
      listing_url: "https://www.grants.gov/search-results-detail/300002",
      created_at: "2026-05-03T00:00:00.000Z",
      identifiers: ["HHS-1", "93.990", "300002"],
      details: {
        agency: ["Department of Health and Human Services", "Health Office"],
        assistance_listings: [
          {
            number: "93.990",
            title: null,
          },
        ],
        deadline_assumed: true,
        deadline_at: "2026-08-17T23:59:00-04:00",
        notice_type: "Synopsis",
        opportunity_number: "HHS-1",
      },
    });
    expect(await recordIn(page({ ...hit, closeDate: "", oppStatus: "forecasted" }))).not.toHaveProperty(
      "deadline_date",
    );
  });

  test("a hit without its agency leaves the stored place and funder, and other names of its members count", async () => {
    const { agency, cfdaList, ...rest } = hit;
    const lacking = await recordIn(page(rest));
    for (const field of ["is_national", "states", "geography", "funder_name"])
      expect(lacking).not.toHaveProperty(field);
    expect(lacking.details).not.toHaveProperty("assistance_listings");
    expect(await recordIn(page({ ...rest, agencyName: "U.S. Mission to Georgia", alnist: cfdaList }))).toMatchObject({
      funder_name: "U.S. Mission to Georgia",
      is_national: false,
      states: [],
      geography: "Georgia",
      identifiers: ["HHS-1", "93.990", "300002"],
    });
    const data = { id: 1, opportunityTitle: "Cook", opportunityNumber: "X-1", alns: [{ alnNumber: "93.990" }] };
    expect((await recordIn(JSON.stringify({ data }))).identifiers).toEqual(["X-1", "93.990", "1"]);
    expect(agency).toBe("Health Office");
  });

  test("fetchOpportunity gives the description, the amounts and the categories, too", async () => {
    const data = {
      id: 300_002,
      opportunityNumber: "HHS-1",
      opportunityTitle: "Healthy Cooking",
      synopsis: {
        agencyName: "Ann Example\nGrantor",
        agencyDetails: { agencyName: "Health Office", agencyCode: "HHS-X" },
        synopsisDesc: "<p>Cook &amp; eat</p>",
        responseDate: "Aug 17, 2026 12:00:00 AM EDT",
        postingDate: "May 03, 2026 12:00:00 AM EDT",
        archiveDate: "Sep 16, 2026 12:00:00 AM EDT",
        awardCeiling: "250000",
        awardFloor: "none",
        fundingActivityCategories: [{ id: "HL", description: "Health" }],
      },
      cfdas: [{ cfdaNumber: "93.990" }],
    };
    expect(await recordIn(JSON.stringify({ data }))).toMatchObject({
      source_id: "300002",
      description: "Cook & eat",
      amount_max: 250_000,
      deadline_date: "2026-08-17",
      created_at: "2026-05-03T00:00:00.000Z",
      status: "posted",
      funder_name: "Health Office",
      funder_source_id: "HHS-X",
      categories: ["Health"],
      identifiers: ["HHS-1", "93.990", "300002"],
    });
    const { synopsis: details, ...rest } = data;
    const forecasted = {
      ...rest,
      forecast: { forecastDesc: "Soon", estApplicationResponseDate: details.responseDate },
    };
    expect(await recordIn(JSON.stringify({ data: forecasted }))).toMatchObject({
      status: "forecasted",
      description: "Soon",
      deadline_date: "2026-08-17",
    });
  });

  test("fetchOpportunity leaves out a floor above the ceiling, as the extract does", async () => {
    const amountsOf = async (synopsis: object) =>
      await recordIn(JSON.stringify({ data: { id: 1, opportunityTitle: "Cook", synopsis } }));
    const contradicting = await amountsOf({
      awardFloor: "500000",
      awardCeiling: "50000",
      responseDate: "Aug 17, 2026",
    });
    // Null empties the stored floor, which would be above the new ceiling.
    expect(contradicting).toMatchObject({ amount_min: null, amount_max: 50_000, deadline_date: "2026-08-17" });
    expect(await amountsOf({ awardFloor: "5000", awardCeiling: "50000" })).toMatchObject({
      amount_min: 5_000,
      amount_max: 50_000,
    });
  });

  test("an answer without an opportunity is no record", async () => {
    const rows = await rowsOf(grantsGovSearch2.read, '{"data": {"hitCount": 0}}');
    expect(rows.map((row) => ("reason" in row ? row : grantsGovSearch2.map(row.values)))).toEqual([
      { reason: "has no opportunity id; perhaps the search found nothing", source_id: null },
    ]);
  });
});
