import type { Connection } from "./connection.ts";
import { withoutSessionTimeout } from "./without-statement-timeout.ts";

/** Vacuums and analyzes tables of the schema `funding`: PGlite has no autovacuum. No statement timeout ends it. */
export async function vacuum(connection: Connection, tables: readonly string[]): Promise<void> {
  await withoutSessionTimeout(connection, async () => {
    for (const table of tables) await connection.execute(`vacuum (analyze) funding.${table}`);
  });
}

/**
 * Returns the tables of the schema `funding` that autovacuum would vacuum or analyze by its default rule: a fifth of the rows are dead, or
 * a tenth changed since the last analysis, each beyond the first fifty. The one with most dead rows comes first.
 */
export async function tablesToVacuum(connection: Connection): Promise<string[]> {
  // This session's changes are counted at the end of the statement, rather than within a second.
  await connection.execute("select pg_stat_force_next_flush()");
  const tables = await connection.query<{ name: string }>(
    `select quote_ident(relation.relname) as name
     from pg_stat_user_tables as counted
     join pg_class as relation on relation.oid = counted.relid
     -- Not the rows that are counted as live: PGlite loses its counts when it is closed. Before the first vacuum it is -1.
     cross join lateral (select greatest(relation.reltuples, 0)) as known(rows)
     where schemaname = 'funding'
       and (n_dead_tup > 50 + 0.2 * known.rows or n_mod_since_analyze > 50 + 0.1 * known.rows or n_ins_since_vacuum > 1000 + 0.2 * known.rows)
     order by n_dead_tup desc, relation.relname`,
  );
  return tables.map(({ name }) => name);
}
