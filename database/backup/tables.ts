import type { Connection } from "../connection.ts";
import { BackupError } from "./format.ts";

/** A table or a sequence that a backup names: schema and name, without quotes. */
interface QualifiedName {
  schema: string;
  name: string;
}

/** A table that a backup may fill. */
export interface BackupTable {
  /** Schema and name, quoted where that is needed. */
  name: string;
  /** Names of its columns, without quotes. */
  columns: ReadonlySet<string>;
}

/** The one table of another schema that a backup may have: users of the service's own sign-in. No session, link or token is in a backup. */
const usersTable = "auth.users";

/** A name without its quotes: whether it has them depends on the version of Postgres. */
export const unquote = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);

function splitName(qualified: string): QualifiedName {
  const [schema = "", name = ""] = (qualified.match(/[\w$]+|"(?:[^"]|"")+"/g) ?? []).map(unquote);
  return { schema, name };
}

/**
 * Refuses tables and sequences of others by their names, before a database is asked: a backup has those of the schema `funding`, and
 * the users.
 *
 * @throws {BackupError} that names it.
 */
export function requireOwnName(kind: "rows" | "sequence", qualified: string): void {
  const { schema, name } = splitName(qualified);
  if (schema === "funding" || (kind === "rows" && `${schema}.${name}` === usersTable)) return;
  throw new BackupError(
    kind === "rows"
      ? `The backup has rows of ${qualified}, which is no table of a backup. Nothing was restored.`
      : `The backup sets ${qualified}, which is no sequence of a backup. Nothing was restored.`,
  );
}

/** Whether the name is that of the table of users. */
export function isUsersTable(qualified: string): boolean {
  const { schema, name } = splitName(qualified);
  return `${schema}.${name}` === usersTable;
}

/** Tables that a backup may fill in a database whose migrations have just run. */
export class RestorableObjects {
  readonly #tables: ReadonlyMap<string, BackupTable>;
  readonly #sequences: ReadonlyMap<string, string>;

  private constructor(tables: ReadonlyMap<string, BackupTable>, sequences: ReadonlyMap<string, string>) {
    this.#tables = tables;
    this.#sequences = sequences;
  }

  /**
   * Reads the tables that `npm run backup` writes, and the sequences of `funding`. Not among them: `schema_objects`, which the
   * migrations fill and upgrades trust, and unlogged tables, which are caches.
   */
  static async read(transaction: Connection): Promise<RestorableObjects> {
    const tables = await transaction.query<{ schema: string; name: string; quoted: string; columns: string[] }>(`
      select namespace.nspname as schema, relation.relname as name, format('%I.%I', namespace.nspname, relation.relname) as quoted,
             array(select attname::text from pg_attribute
                   where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class as relation join pg_namespace as namespace on namespace.oid = relation.relnamespace
      where relation.relkind = 'r' and relation.relpersistence = 'p'
        and (namespace.nspname = 'funding' and relation.relname <> 'schema_objects'
             or relation.oid = to_regclass('${usersTable}') and to_regclass('auth.sign_in_links') is not null)`);
    const sequences = await transaction.query<{ name: string; quoted: string }>(`
      select relname as name, format('funding.%I', relname) as quoted from pg_class
      where relkind = 'S' and relnamespace = 'funding'::regnamespace`);
    return new RestorableObjects(
      new Map(
        tables.map(({ schema, name, quoted, columns }) => [
          JSON.stringify([schema, name]),
          { name: quoted, columns: new Set(columns) },
        ]),
      ),
      new Map(sequences.map(({ name, quoted }) => [JSON.stringify(["funding", name]), quoted])),
    );
  }

  /** The table of that name. @throws {BackupError} when a backup may not fill it. */
  table(qualified: string): BackupTable {
    requireOwnName("rows", qualified);
    const { schema, name } = splitName(qualified);
    const table = this.#tables.get(JSON.stringify([schema, name]));
    if (table === undefined) {
      throw new BackupError(`The backup has rows of ${qualified}, which no migration makes. Nothing was restored.`);
    }
    return table;
  }

  /** The sequence of that name, quoted where that is needed; undefined where no migration made it. @throws {BackupError} for one of others. */
  sequence(qualified: string): string | undefined {
    requireOwnName("sequence", qualified);
    const { schema, name } = splitName(qualified);
    return this.#sequences.get(JSON.stringify([schema, name]));
  }
}
