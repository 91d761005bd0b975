import { csvRows } from "../../ingest/read/csv.ts";
import { jsonRows } from "../../ingest/read/json.ts";
import { ndjsonRows } from "../../ingest/read/ndjson.ts";
import type { ReadRows, Row } from "../../ingest/read/row.ts";
import { readText } from "../../ingest/read/text.ts";
import { federalOrganizations } from "../../ingest/sources/federal-organizations.ts";
import { grantsGovSearch2 } from "../../ingest/sources/grants-gov-search2.ts";
import { irs990pf } from "../../ingest/sources/irs-990pf.ts";
import { nsf } from "../../ingest/sources/nsf.ts";
import { samGov } from "../../ingest/sources/sam-gov.ts";
import { grant, type Source } from "../../ingest/sources/source.ts";
import { usaspending } from "../../ingest/sources/usaspending.ts";

/** A file of publishers' records, or a folder of files. */
export interface FundingFile {
  /** In the folder of data. Of a folder, the files are read whose names begin with a number. */
  path: string;
  /** Beginning of the ids of its records. */
  prefix: string;
  source: Pick<Source, "read" | "map">;
  /** Only every so many rows are read. Default: 1. */
  step?: number;
}

const programs: FundingFile["source"] = {
  read: ndjsonRows,
  map: (row) => [grant({ source_id: row.cfda, title: row.title, description: row.objective, funder_name: row.agency })],
};

/** Grants.gov's opportunities, in a table that others made of them. */
const opportunities: FundingFile["source"] = {
  read: csvRows,
  map: (row) => [
    grant({
      source_id: row["Opportunity ID"],
      title: row.Title,
      description: row.Description,
      funder_name: agencies.get(String(row.Agency)) ?? row.Agency,
      opportunity_number: row["Opportunity ID"],
    }),
  ],
};

const agencies: ReadonlyMap<string, string> = new Map([
  ["DOC", "Department of Commerce"],
  ["DOD", "Department of Defense"],
  ["NASA", "National Aeronautics and Space Administration"],
  ["NSF", "National Science Foundation"],
]);

const pennsylvania: FundingFile["source"] = {
  read: jsonRows("$.grants.*"),
  map: (row) => [
    grant({
      source_id: row.slug,
      title: row.title,
      description: row.overview,
      funder_name: row.issuingAgency,
      states: "PA",
    }),
  ],
};

const california: FundingFile["source"] = {
  read: tableRows,
  map: (row) => [
    grant({
      source_id: row.PortalID,
      title: row.Title,
      description: [row.Purpose, row.Description],
      funder_name: row.AgencyDept,
      states: "CA",
    }),
  ],
};

/** Rows of an answer of CKAN's API: `fields` with the columns' names, and `records`, each a list of values. */
async function* tableRows(chunks: Parameters<ReadRows>[0]): AsyncGenerator<Row> {
  let text = "";
  for await (const part of readText(chunks)) text += part;
  const { fields, records } = JSON.parse(text) as { fields: { id: string }[]; records: unknown[][] };
  for (const record of records) {
    yield { line: 1, values: Object.fromEntries(fields.map(({ id }, index) => [id, record[index]])) };
  }
}

/** The files of the judged set. Of two records with the same id, the one with a text counts, else the first. */
export const fundingFiles: readonly FundingFile[] = [
  { path: "grants/assistance-programs.jsonl", prefix: "aln", source: programs },
  { path: "grants/grants-gov-opportunities.csv", prefix: "grants-gov", source: opportunities },
  { path: "grants/grants-gov-search2", prefix: "grants-gov", source: grantsGovSearch2 },
  { path: "grants/pennsylvania.json", prefix: "pa", source: pennsylvania },
  { path: "grants/california.json", prefix: "ca", source: california },
  { path: "contracts/sam-gov-full-csv-excerpt.csv", prefix: "sam", source: samGov },
  { path: "contracts/sam-gov-legislative-branch.csv", prefix: "sam", source: samGov },
  { path: "contracts/sam-gov-with-contacts.csv", prefix: "sam", source: samGov },
  { path: "awards/nsf-awards-fy2026.csv", prefix: "nsf", source: nsf },
  { path: "awards/nsf", prefix: "nsf", source: nsf },
  // They differ in little but the recipient, and would be a third of all records.
  { path: "awards/usaspending-contract-awards.csv", prefix: "usaspending", source: usaspending, step: 5 },
  { path: "funders/federal-organizations.json", prefix: "fed", source: federalOrganizations },
  { path: "funders/irs-990pf-index.csv", prefix: "irs", source: irs990pf },
];
