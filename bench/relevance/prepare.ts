import type { Connection } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { migrate } from "../../database/migrate.ts";
import { batchesOf } from "../../ingest/batches.ts";
import { loadBatch } from "../../ingest/load.ts";
import type { GrantRecord } from "../../ingest/record.ts";
import { createBaselines } from "./baselines.ts";
import type { Collection, CollectionDocument } from "./collection.ts";

/** Setup of the service for a measurement. */
export interface Setup {
  /** Settings to change from their defaults: name and JSON value. */
  settings: ReadonlyMap<string, string>;
  /** Dimensions of the lexicon's fitted space. */
  dimensions: number;
}

const batchSize = 500;

/** Sets up the service in an empty database, with the collection as grants, and the baselines on the same texts. */
export async function prepareCollection(
  connection: Connection,
  collection: Collection,
  { settings, dimensions }: Setup,
  report: (step: string) => void,
): Promise<void> {
  await migrate(connection);
  for (const [name, value] of settings) await changeSetting(connection, name, value);
  report(`loading ${collection.documents.length} documents`);
  for (const batch of batchesOf(collection.documents.map(toGrant), batchSize)) {
    const { refused } = await loadBatch(connection, "grants", batch);
    for (const { index, reason } of refused) report(`left out ${batch[index]?.source_id}: ${reason}`);
  }
  await fitLexicon(connection, report, dimensions);
  await createBaselines(connection);
  await connection.execute("vacuum analyze");
}

/** @throws when there is no such setting. */
export async function changeSetting(connection: Connection, name: string, value: string): Promise<void> {
  const changed = await connection.query(
    "update funding.settings set value = $2::jsonb where name = $1 returning name",
    [name, value],
  );
  if (changed.length === 0) throw new Error(`There is no setting ${name}.`);
}

/** A document as a grant that is open. */
export function toGrant({ id, title, text, funder, states }: CollectionDocument): GrantRecord {
  return {
    source: "relevance",
    source_id: id,
    // A grant needs a title. This one has no word that a search could find.
    title: title.trim() || "-",
    description: text,
    amount_min: null,
    amount_max: null,
    deadline_date: null,
    project_end_date: null,
    status: "posted",
    classification: "opportunity",
    states: states ?? [],
    is_national: false,
    geography: null,
    funder_name: funder ?? "-",
    funder_source_id: funder ?? "-",
    listing_url: null,
    created_at: null,
    archived_at: null,
    categories: [],
    identifiers: [],
    details: {},
  };
}
