import type { GrantRecord } from "../../ingest/record.ts";
import { demoGrants } from "../../local/demo/generate.ts";
import { Random } from "../../local/demo/random.ts";

export interface ExtractOptions {
  opportunities: number;
  /** Seed of the generator. @default 1 */
  seed?: number;
  /** Day of the extract, to which the dates are relative. @default now */
  today?: Date;
}

/**
 * Generates an extract like the one that Grants.gov publishes every day, by its schema, in pieces of text: synopses, most
 * of them archived long ago, then forecasts. The opportunities are invented. The live extract of August 2026 has 82,230
 * opportunities in 319.9 MB; this generates the same size for that number.
 */
export function* generateExtract({ opportunities, seed = 1, today = new Date() }: ExtractOptions): Generator<string> {
  const forecasts = Math.round(opportunities * 0.01);
  const texts = demoTexts(seed, today);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Grants xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:noNamespaceSchemaLocation="https://apply07.grants.gov/apply/system/schemas/OpportunityDetail-V1.0.xsd" ' +
    'xmlns="http://apply.grants.gov/system/OpportunityDetail-V1.0">\n';
  for (let index = 0; index < opportunities; index++) {
    const random = new Random(seed, "extract", index);
    yield index < opportunities - forecasts
      ? synopsis(index, random, texts, today)
      : forecast(index, random, texts, today);
  }
  yield "</Grants>\n";
}

/** Share of posted opportunities. The others are closed, and archived a month later. */
const postedShare = 0.03;
const lastId = 364_000;

function synopsis(index: number, random: Random, texts: Iterator<GrantRecord>, today: Date): string {
  const record = next(texts);
  const isPosted = random.chance(postedShare);
  const closes = addDays(today, isPosted ? random.integer(1, 200) : -random.integer(1, 7_800));
  const posted = addDays(closes, -random.integer(20, 240));
  return element("OpportunitySynopsisDetail_1_0", [
    ...shared(index, record, random),
    ["PostDate", compactDate(posted)],
    random.chance(0.95)
      ? ["CloseDate", compactDate(closes)]
      : ["CloseDateExplanation", "Applications are accepted until funds are exhausted."],
    ["LastUpdatedDate", compactDate(addDays(posted, random.integer(0, 20)))],
    ...money(record, random),
    ["Description", description(record, texts, random)],
    ["Version", `Synopsis ${random.integer(1, 5)}`],
    ["CostSharingOrMatchingRequirement", random.chance(0.3) ? "Yes" : "No"],
    ["ArchiveDate", compactDate(addDays(closes, 30))],
    ...contact(record),
    ["GrantorContactText", `Office of Grants Management<br/>Phone 202-555-0${random.integer(100, 199)}`],
  ]);
}

function forecast(index: number, random: Random, texts: Iterator<GrantRecord>, today: Date): string {
  const record = next(texts);
  const expected = addDays(today, random.integer(10, 200));
  return element("OpportunityForecastDetail_1_0", [
    ...shared(index, record, random),
    ["PostDate", compactDate(addDays(today, -random.integer(1, 300)))],
    ["LastUpdatedDate", compactDate(addDays(today, -1))],
    ["EstimatedSynopsisPostDate", compactDate(expected)],
    ["FiscalYear", String(expected.getUTCFullYear())],
    ["EstimatedSynopsisCloseDate", compactDate(addDays(expected, 60))],
    ["EstimatedAwardDate", compactDate(addDays(expected, 150))],
    ["EstimatedProjectStartDate", compactDate(addDays(expected, 180))],
    ...money(record, random),
    ["Description", description(record, texts, random)],
    ["Version", "Forecast 1"],
    ["CostSharingOrMatchingRequirement", "No"],
    ...contact(record),
    ["GrantorContactName", "Office of Grants Management"],
    ["GrantorContactPhoneNumber", `202-555-0${random.integer(100, 199)}`],
  ]);
}

type Child = readonly [name: string, text: string];

function shared(index: number, record: GrantRecord, random: Random): Child[] {
  const code = `DEMO-${record.funder_source_id?.slice(-4) ?? "0000"}`;
  return [
    ["OpportunityID", String(lastId - index)],
    ["OpportunityTitle", record.title.slice(0, 255)],
    ["OpportunityNumber", `${code}-${String(index).padStart(6, "0")}`],
    ["OpportunityCategory", random.pick(["D", "M", "C", "O"])],
    ["FundingInstrumentType", random.pick(["G", "CA", "PC", "O"])],
    ...random
      .sample(categories, random.integer(1, 2))
      .map((category): Child => ["CategoryOfFundingActivity", category]),
    ["CategoryExplanation", "Please see the full announcement for the activities that can be paid for."],
    ["CFDANumbers", `${random.integer(10, 97)}.${random.integer(100, 999)}`],
    ...random.sample(applicants, random.integer(1, 6)).map((applicant): Child => ["EligibleApplicants", applicant]),
    ["AdditionalInformationOnEligibility", eligibility],
    ["AgencyCode", code],
    ["AgencyName", record.funder_name.slice(0, 255)],
  ];
}

const categories = "AG AR BC CD CP DPR ED ELT EN ENV FN HL HO HU IIJ IS ISS LJL NR O RD ST T".split(" ");
const applicants = "00 01 02 04 05 06 07 08 11 12 13 20 21 22 23 25 99".split(" ");
const eligibility =
  "Applicants must be registered and have a unique entity identifier when they apply. Individuals and foreign organizations are not eligible; partnerships are encouraged, and each partner&rsquo;s role is to be described in the application.";

/** Amounts. The source writes 0 and "none" for unknown ones. */
function money({ amount_min, amount_max }: GrantRecord, random: Random): Child[] {
  return [
    ["AwardCeiling", amount_max === null ? random.pick(["none", "0"]) : String(Math.round(amount_max))],
    ["AwardFloor", amount_min === null ? "0" : String(Math.round(amount_min))],
    ["EstimatedTotalProgramFunding", String(random.integer(1, 400) * 50_000)],
    ["ExpectedNumberOfAwards", String(random.integer(1, 60))],
  ];
}

function contact({ listing_url }: GrantRecord): Child[] {
  return [
    ["AdditionalInformationURL", (listing_url ?? "https://grants.example.gov/").slice(0, 250)],
    ["AdditionalInformationText", "The full announcement"],
    ["GrantorContactEmail", "grants@agency.example.gov"],
    ["GrantorContactEmailDescription", "Questions about the announcement"],
  ];
}

const maxDescriptionCharacters = 18_000;

/** Description of one to a dozen paragraphs of HTML, as most agencies paste it: 2,300 characters on average. */
function description(record: GrantRecord, texts: Iterator<GrantRecord>, random: Random): string {
  const length = Math.min(maxDescriptionCharacters - 2_000, 465 / (1 - random.next()) ** 0.56);
  const paragraphs = [record.description];
  let written = record.description.length;
  while (written < length) {
    const more = next(texts).description;
    paragraphs.push(more);
    written += more.length;
  }
  const html = paragraphs.map((text, index) =>
    index % 3 === 1
      ? `<ul>${text
          .split(". ")
          .map((item) => `<li>${item}</li>`)
          .join("")}</ul>`
      : `<p style="margin: 0in">${text.replaceAll(" and ", " &amp;&nbsp;")}</p>`,
  );
  return html.join("\n").slice(0, maxDescriptionCharacters);
}

/** Endless demo grants, for their texts. */
function* demoTexts(seed: number, today: Date): Generator<GrantRecord> {
  for (let round = 0; ; round++) yield* demoGrants({ seed: seed + round, today, grants: 50_000, funders: 300 });
}

function next(texts: Iterator<GrantRecord>): GrantRecord {
  const { value } = texts.next();
  if (value === undefined) throw new Error("the texts ended");
  return value;
}

function element(name: string, children: readonly Child[]): string {
  const lines = children.map(([child, text]) => `      <${child}>${escapeXml(text)}</${child}>\n`);
  return `   <${name}>\n${lines.join("")}   </${name}>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * 86_400_000);
}

/** MMDDYYYY. */
function compactDate(day: Date): string {
  const [year, month, date] = day.toISOString().slice(0, 10).split("-");
  return `${month}${date}${year}`;
}
