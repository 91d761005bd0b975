import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { readBackup } from "../../database/backup/read.ts";
import { restoreBackup } from "../../database/backup/restore.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { loadDemoData } from "../../local/demo/load.ts";
import { demoSize, fixturePath } from "./fixture.ts";

const silent = { step: () => undefined, table: () => undefined, leftOut: () => undefined };

/** Restores the database that the last release made and filled, by its own migrations, in an empty one. */
export async function restoreOldDatabase(connection: Connection): Promise<void> {
  const backup = await readBackup(createReadStream(fixturePath("backup.sql.gz")).pipe(createGunzip()));
  await restoreBackup(connection, backup, silent, { keepsSchema: true });
}

/**
 * Makes a database of the last release in an empty one: by its own migrations, with the data that it wrote, then a month older than
 * today. What would have ended by now goes on, and an import of today changes the records that its fit knew.
 */
export async function makeOldDatabase(connection: Connection): Promise<void> {
  await restoreOldDatabase(connection);
  await connection.execute(`
    update funding.api_keys set expires_at = now() + interval '12 hours' where expires_at is not null;
    update funding.webhook_former_secrets set expires_at = now() + interval '12 hours';
    update funding.daily_quota set day = current_date - 1;
    update funding.usage set day = current_date - 1;
    update funding.events set created_at = now() where fanned_out_at is not null`);
  // A new word of this version, which the operator has already in another form.
  await connection.execute("insert into funding.synonyms (word, means) values ('puppies', 'our own dogs')");
  await loadDemoData(connection, demoSize, () => undefined);
  // The old version archived at once what has an archive date ahead, and its own importers gave it none. One was.
  await connection.execute(`
    update funding.grants set archived_at = null
    where archived_at > now() and id <> (select id from funding.grants where archived_at > now() order by deadline_date desc, id limit 1)`);
}

/** Adds grants, a quarter as many contracts and accounts with keys, and a month of their usage, as the last release wrote them. */
export async function enlargeOldDatabase(connection: Connection, grants: number): Promise<void> {
  const size = { seed: 11, grants, contracts: Math.ceil(grants / 4), funders: 400, today: demoSize.today };
  await loadDemoData(connection, size, () => undefined);
  await connection.execute(`
    insert into funding.accounts (email, auth_user_id)
    select 'customer-' || number || '@many.example', gen_random_uuid() from generate_series(1, ${Math.ceil(grants / 4)}) as number;
    create temporary table many on commit drop as select id from funding.accounts where email like '%@many.example';
    insert into funding.subscriptions (account_id, tier) select id, 'developer' from many;
    insert into funding.api_keys (account_id, name, key_hash, display)
    select id, 'key', encode(sha256((id || number::text)::bytea), 'hex'), 'fo_live_...' from many cross join generate_series(1, 2) as number;
    insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
    select api_keys.id, current_date - day, 'grants-api', 200, 50, 9
    from funding.api_keys join many on many.id = account_id cross join generate_series(2, 31) as day;
    insert into funding.daily_quota (account_id, day, used) select id, current_date - day, 9 from many cross join generate_series(2, 31) as day`);
}

/** Facts that an upgrade keeps: the content of tables, as hashes over the columns that they had before. */
export type Facts = Record<string, unknown>;

const tables = [
  "accounts",
  "subscriptions",
  "tiers",
  "webhook_endpoints",
  "webhook_former_secrets",
  "grants",
  "contracts",
  "funders",
  "funder_names",
  "lexicon",
  "synonyms",
];

/** Rows of a table that an upgrade keeps. */
export interface KeptRows {
  name: string;
  /** Names of columns, as SQL. */
  columns: string;
  /** SQL of which rows. */
  condition: string;
}

/**
 * Columns and rows of those tables now; without the words and slots of records in indexes, which an upgrade gives, and what it moves elsewhere. It adds
 * words to the synonyms, and closes records whose deadline has passed.
 */
export function keptRows(connection: Connection): Promise<KeptRows[]> {
  return connection.query(
    `select table_name as name, string_agg(quote_ident(column_name), ', ' order by column_name) as columns,
            case when table_name = 'synonyms' then format('word = any (%L)', (select array_agg(word) from funding.synonyms))
                 when table_name in ('grants', 'contracts') then format('(deadline_date is null or deadline_date > %L) and id <> all (%L)', current_date + 1,
                   array(select id from funding.grants where archived_at > now()))
                 else 'true' end as condition
     from information_schema.columns where table_schema = 'funding' and table_name = any ($1) and column_name <> all (array['document', 'lexemes', 'posting_number', 'slot', 'bm25', 'embedding', 'embedding_model']) group by 1 order by 1`,
    [tables],
  );
}

export async function readFacts(connection: Connection, kept: readonly KeptRows[]): Promise<Facts> {
  const facts: Facts = {};
  for (const { name, columns, condition } of kept) {
    const { hash } = await queryOne<{ hash: string }>(
      connection,
      `select count(*) || ' rows, ' || md5(string_agg(md5(row::text), '' order by md5(row::text))) as hash
       from (select ${columns} from funding.${name} where ${condition}) as row`,
    );
    facts[name] = hash;
  }
  // Keys of accounts that nobody uses meanwhile.
  const counts = await queryOne<Facts>(
    connection,
    `select (select sum(used)::int from funding.daily_quota join funding.accounts on accounts.id = account_id
             where email = 'limited@demo.example') as quota,
            (select sum(requests)::int from funding.usage join funding.api_keys on api_keys.id = api_key_id
             join funding.accounts on accounts.id = account_id where email = 'limited@demo.example') as usage,
            (select count(*)::int from funding.api_keys) as keys,
            (select string_agg(means, ', ') from funding.synonyms where term = funding.stem('puppy')) as meaning_of_puppy,
            (select count(*)::int from funding.webhook_deliveries where state = 'pending') as pending_deliveries`,
  );
  return { ...facts, ...counts };
}
