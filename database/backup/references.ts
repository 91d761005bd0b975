import type { Connection } from "../connection.ts";
import { BackupError } from "./format.ts";

/**
 * Refuses rows that name others which are not there. A restore loads rows without triggers, and foreign keys are triggers: each is
 * looked at afterwards.
 *
 * @throws {BackupError} that names the first table with such a row.
 */
export async function requireReferences(transaction: Connection): Promise<void> {
  // `match simple`, as all of ours: a row with a null in the key names nothing.
  const checks = await transaction.query<{ table: string; referenced: string; broken: string }>(`
    select fk.conrelid::regclass::text as table, fk.confrelid::regclass::text as referenced,
           format('select from %s as referring where %s and not exists (select from %s as referred where %s) limit 1',
             fk.conrelid::regclass,
             string_agg(format('referring.%I is not null', own.attname), ' and '),
             fk.confrelid::regclass,
             string_agg(format('referred.%I = referring.%I', other.attname, own.attname), ' and ')) as broken
    from pg_constraint as fk
    cross join lateral unnest(fk.conkey, fk.confkey) as part(own_number, other_number)
    join pg_attribute as own on own.attrelid = fk.conrelid and own.attnum = part.own_number
    join pg_attribute as other on other.attrelid = fk.confrelid and other.attnum = part.other_number
    where fk.contype = 'f' and fk.connamespace = 'funding'::regnamespace
    group by fk.oid, fk.conrelid, fk.confrelid order by fk.oid`);
  for (const { table, referenced, broken } of checks) {
    if ((await transaction.query(broken)).length > 0) {
      throw new BackupError(`The backup has a row of ${table} whose ${referenced} is not in it. Nothing was restored.`);
    }
  }
}
