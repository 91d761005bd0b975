import type { Connection } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { loadBatch } from "../../ingest/load.ts";
import type { GrantRecord } from "../../ingest/record.ts";
import { demoGrants } from "../../local/demo/generate.ts";
import { recordOptions } from "./records.ts";
import type { Report } from "./speed-case.ts";

const batchSize = 500;

/** Loads awards beside the records of `loadRecords`, as importers of awards do, fits the lexicon anew and vacuums. */
export async function loadAwards(
  connection: Connection,
  grants: number,
  awards: number,
  report: Report,
): Promise<void> {
  let batch: GrantRecord[] = [];
  let shownAt = Date.now();
  let loaded = 0;
  for (const award of makeAwards(grants, awards)) {
    batch.push(award);
    loaded++;
    if (batch.length < batchSize && loaded < awards) continue;
    const { refused } = await loadBatch(connection, "grants", batch);
    if (refused[0] !== undefined) throw new Error(`an award was refused: ${refused[0].reason}`);
    batch = [];
    if (Date.now() - shownAt < 5_000) continue;
    shownAt = Date.now();
    report(`  loaded ${loaded} awards`);
  }
  await fitLexicon(connection, (step) => report(`  ${step}`));
  await connection.execute("vacuum analyze");
}

const places = ["Adams", "Boone", "Clark", "Douglas", "Franklin", "Grant", "Jackson", "Lincoln", "Monroe", "Warren"];
const bodies = ["County", "University", "School District", "Health Center", "Tribal Council", "Community College"];
/** Of 500,000 awards, one recipient has 250. */
const recipients = 2_000;

/** Makes awards: grants of another seed, each paid to a recipient. Two of five are under the number of one of the loaded grants. */
function* makeAwards(grants: number, count: number): Generator<GrantRecord> {
  const numbers = Array.from(demoGrants(recordOptions(grants)), ({ details }) => details.opportunity_number);
  let index = 0;
  for (const grant of demoGrants({ ...recordOptions(count), seed: 2 })) {
    const { agency, assistance_listings } = grant.details;
    const opportunity_number = index % 5 < 2 ? numbers[index % numbers.length] : undefined;
    const award_number = `FAIN${String(index).padStart(8, "0")}`;
    const amount = grant.amount_max ?? 100_000;
    yield {
      ...grant,
      source: "bench",
      source_id: award_number,
      amount_min: amount,
      amount_max: amount,
      deadline_date: null,
      project_end_date: `${2024 + (index % 6)}-09-30`,
      status: "closed",
      classification: "awarded_project",
      archived_at: null,
      identifiers: [award_number],
      details: {
        ...(agency && { agency }),
        ...(assistance_listings && { assistance_listings }),
        ...(opportunity_number && { opportunity_number }),
        recipient: recipientAt(index % recipients, grant.states[0] ?? null),
        award_number,
        award_type: "grant",
        obligated_amount: amount,
      },
    };
    index++;
  }
}

function recipientAt(number: number, state: string | null) {
  const place = places[number % places.length];
  const body = bodies[Math.floor(number / places.length) % bodies.length];
  return {
    name: `${place} ${body} ${number}`,
    uei: `BENCH${String(number).padStart(7, "0")}`,
    ein: null,
    city: null,
    state,
    country: "USA",
  };
}
