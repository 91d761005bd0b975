/** Which details each source gives: what its mapping names of the files in tests/fixtures/sources. */
import { createReadStream } from "node:fs";
import { isBroken } from "../../ingest/read/row.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { isNoRecord, type Source } from "../../ingest/sources/source.ts";
import { details } from "../../shared/catalogue/details.ts";

/** Files of each source, which have every kind of row. */
const files: Readonly<Record<string, readonly string[]>> = {
  "grants-gov": ["GrantsDBExtract20260601v2.xml"],
  "grants-gov-search2": ["search2.json", "fetchOpportunity-350001.json", "fetchOpportunity-350040-forecast.json"],
  "sam-gov": ["ContractOpportunitiesFullCSV.csv"],
  simpler: ["simpler.json", "simpler-export.csv"],
  "common-grants": ["common-grants.json"],
  "grants-gov-site": ["grants-gov-site-export.csv"],
  usaspending: ["Contracts_PrimeAwardSummaries.csv", "Assistance_PrimeAwardSummaries.csv"],
  nsf: ["nsf-awards.json"],
  "nih-reporter": ["nih-reporter.json"],
  "360giving": ["360giving.json"],
  "irs-990pf": ["irs-990pf-index.csv"],
  "federal-organizations": ["federal-organizations.json"],
};

async function detailsOf({ name, read, map }: Source, folder: string): Promise<string[]> {
  const given = new Set<string>();
  const paths = files[name];
  if (paths === undefined) throw new Error(`scripts/catalogue/source-details.ts has no files of ${name}`);
  for (const path of paths) {
    for await (const row of read(createReadStream(`${folder}${path}`))) {
      const mapped = isBroken(row) ? [] : map(row.values);
      if (isNoRecord(mapped)) continue;
      for (const { values } of mapped) for (const field of values.keys()) given.add(field);
    }
  }
  return Object.keys(details).filter((detail) => given.has(detail));
}

/** A line for each source that gives some; one for all that give the same. */
export async function sourceDetails(root: string): Promise<string> {
  const givers = new Map<string, string[]>();
  for (const source of sources) {
    const given = await detailsOf(source, `${root}tests/fixtures/sources/`);
    const names = given.map((detail) => `\`${detail}\``).join(", ");
    if (given.length > 0) givers.set(names, [...(givers.get(names) ?? []), `**${source.name}**`]);
  }
  return [...givers].map(([names, of]) => `- ${of.join(", ")}: ${names}`).join("\n");
}
