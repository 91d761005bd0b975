import type { Connection } from "./connection.ts";

/** A stored record, as an operator names it. */
export interface StoredRecord {
  dataset: "grants" | "contracts" | "funders";
  id: string;
  source: string;
  source_id: string;
  title: string;
  archived_at: Date | null;
}

/** Rows that went with a record: its former values, and webhook events about it. */
export interface Removal {
  changes: number;
  events: number;
}

/** Returns the record with an id, of any dataset; undefined when there is none. */
export async function findRecord(connection: Connection, id: string): Promise<StoredRecord | undefined> {
  const [record] = await connection.query<StoredRecord>(
    `select 'grants' as dataset, id, source, source_id, title, archived_at from funding.grants where id = $1
     union all select 'contracts', id, source, source_id, title, archived_at from funding.contracts where id = $1
     union all select 'funders', id, source, source_id, name, null from funding.funders where id = $1`,
    [id],
  );
  return record;
}

/** Returns the number of grants and contracts that name a funder. It cannot go while there are some. */
export async function countOpportunities(connection: Connection, funderId: string): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    `select ((select count(*) from funding.grants where funder_id = $1)
       + (select count(*) from funding.contracts where funder_id = $1))::integer as count`,
    [funderId],
  );
  return row?.count ?? 0;
}

/** Deletes a record with its former values and the webhook events about it, whose deliveries go with them. */
export function deleteRecord(connection: Connection, { dataset, id }: StoredRecord): Promise<Removal> {
  return connection.transaction(async (transaction) => {
    await transaction.query(`delete from funding.${dataset} where id = $1`, [id]);
    if (dataset !== "funders") {
      await transaction.query(
        `select funding.link_versions($1, array(select id from funding.${dataset} where superseded_by = $2), funding.change_moment())`,
        [dataset, id],
      );
    }
    await transaction.query("delete from funding.record_aliases where record_id = $1", [id]);
    await transaction.query("delete from funding.sightings where record_id = $1", [id]);
    return removeTraces(transaction, id);
  });
}

/**
 * Takes a grant or contract out of the lists for as long as its publisher does not change it, without its texts and its contact. `details` stay: an
 * import compares them with its file's, and would bring the record back. Its content hash stays, too, by which the next import finds it unchanged.
 */
export function hideRecord(connection: Connection, { dataset, id }: StoredRecord): Promise<Removal> {
  const contact = dataset === "contracts" ? "primary_contact_email = null, document_url = null," : "";
  return connection.transaction(async (transaction) => {
    await transaction.query(
      `update funding.${dataset} set title = 'Removed', description = '', listing_url = null, ${contact}
         archived_at = coalesce(archived_at, now()), stated_archived_at = now(), updated_at = funding.change_moment()
       where id = $1`,
      [id],
    );
    await transaction.query("select funding.link_versions($1, array[$2::uuid], funding.change_moment())", [
      dataset,
      id,
    ]);
    return removeTraces(transaction, id);
  });
}

async function removeTraces(connection: Connection, id: string): Promise<Removal> {
  const changes = await connection.query("delete from funding.record_changes where record_id = $1 returning 1", [id]);
  const events = await connection.query("delete from funding.events where record_id = $1 returning 1", [id]);
  return { changes: changes.length, events: events.length };
}
