import { type Connection, queryOne } from "../connection.ts";
import { hasSchema } from "../migrate.ts";
import { type BackupEnd, BackupError, type BackupHeader, backupFormat, firstLine } from "./format.ts";

/** Pages of a table that are read at a time: 8 MiB, besides what is stored apart from them. */
const pagesAtATime = 1024;

interface Table {
  /** Schema and name, quoted where that is needed. */
  name: string;
  columns: string;
  pages: number;
  /** Whether a migration made it, or the sign-in. */
  isOurs: boolean;
}

/** How values are written, whatever the role's own settings: unambiguously, and to the last digit. */
export const exactFormats =
  "set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1";

/**
 * Settings of the transaction of a backup. A role that may not see every row gets an error, where it would otherwise get none of
 * them.
 */
export const snapshotSettings = `set transaction isolation level repeatable read, read only; ${exactFormats};
  set local row_security = off; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** Tables of the texts of documents: `npm run documents -- load` makes them again, from a folder. */
const documentTables = ["documents", "document_parts", "document_passages", "document_postings", "document_records"];

/** Progress of a backup. */
export interface BackupReport {
  /** Called after each table. */
  table(name: string, rows: number): void;
  /** Called for a table, or a sequence that was used, that no migration made. It is not part of the backup. */
  leftOut(name: string): void;
}

/**
 * Reads a whole database, as of one moment, into the lines of a backup (format.ts). The parts left out can be made again: caches and
 * the work of an unfinished fit, which are in unlogged tables, indexes, and the schema, which the migrations make.
 *
 * @param about header fields that the database itself does not know.
 * @param hasDocuments whether the texts of documents are part of it.
 */
export async function* writeBackup(
  connection: Connection,
  about: Pick<BackupHeader, "version" | "created_at" | "files">,
  report: BackupReport,
  hasDocuments = true,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (text: string) => encoder.encode(`${text}\n`);
  if (!(await hasSchema(connection))) {
    throw new BackupError("The database has no schema funding, so there is nothing to back up.");
  }
  const tables = await listTables(connection);
  if (!tables.some(({ name, isOurs }) => isOurs && name.startsWith("funding."))) {
    throw new BackupError(
      "The database does not say which tables its migrations made: npm run migrate -- --functions writes that.",
    );
  }
  const header: BackupHeader = { format: backupFormat, ...about, ...(await describeDatabase(connection)) };
  yield line(firstLine);
  yield line(`-- ${JSON.stringify(header)}`);
  const rows: BackupEnd["rows"] = {};
  for (const { name, columns, pages, isOurs } of tables) {
    if (!hasDocuments && documentTables.some((table) => name === `funding.${table}`)) continue;
    if (!isOurs) {
      report.leftOut(name);
      continue;
    }
    rows[name] = 0;
    for (let page = 0; page < pages; page += pagesAtATime) {
      const range = `ctid >= '(${page},0)' and ctid < '(${page + pagesAtATime},0)'`;
      let isEmpty = true;
      for await (const chunk of connection.copyTo(`(select ${columns} from ${name} where ${range})`)) {
        if (chunk.length === 0) continue;
        if (isEmpty) yield line(`COPY ${name} (${columns}) FROM stdin;`);
        isEmpty = false;
        rows[name] += countLines(chunk);
        yield chunk;
      }
      if (!isEmpty) yield line("\\.");
    }
    report.table(name, rows[name]);
  }
  for (const { name, value, isOurs } of await listSequences(connection)) {
    if (!isOurs) {
      report.leftOut(name);
      continue;
    }
    yield line(`SELECT pg_catalog.setval('${name}', ${value}, true);`);
  }
  yield line(`-- ${JSON.stringify({ rows } satisfies BackupEnd)}`);
}

/** In Postgres' text format each row is a line, and line breaks in values are escaped. */
function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

function describeDatabase(connection: Connection): Promise<Pick<BackupHeader, "migrations" | "has_vector_indexes">> {
  return queryOne(
    connection,
    `select array(select version from supabase_migrations.schema_migrations order by version) as migrations,
            exists (select from pg_class join pg_am on pg_am.oid = relam
                    where relnamespace = 'funding'::regnamespace and amname = 'ivfflat') as has_vector_indexes`,
  );
}

/**
 * Tables of the service, and users where they are the service's own (local/auth). Users of Supabase Auth are Supabase's to back up.
 * `schema_objects` describes the schema, so the migrations fill it.
 */
function listTables(connection: Connection): Promise<Table[]> {
  return connection.query<Table>(`
    select format('%I.%I', namespace.nspname, relation.relname) collate "C" as name,
           (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
            where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
           ceil(pg_relation_size(relation.oid) / current_setting('block_size')::float8)::int as pages,
           namespace.nspname = 'auth' or exists (select from funding.schema_objects as made
             where made.kind = 'table' and made.name = format('funding.%I', relation.relname)) as "isOurs"
    from pg_class as relation join pg_namespace as namespace on namespace.oid = relation.relnamespace
    where relation.relkind = 'r' and relation.relpersistence = 'p'
      and (namespace.nspname = 'funding' and relation.relname <> 'schema_objects'
           or relation.oid = to_regclass('auth.users') and to_regclass('auth.sign_in_links') is not null)
    order by name`);
}

/** Sequences that were used, with the last value that they gave, and whether a migration made them. */
function listSequences(connection: Connection): Promise<{ name: string; value: string; isOurs: boolean }[]> {
  return connection.query(`
    select format('%I.%I', schemaname, sequencename) collate "C" as name, last_value::text as value,
           exists (select from funding.schema_objects as made
                   where made.kind = 'sequence' and made.name = format('funding.%I', sequencename)) as "isOurs"
    from pg_sequences where schemaname = 'funding' and last_value is not null order by name`);
}
