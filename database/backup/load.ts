import type { Connection } from "../connection.ts";
import { BackupError, type BackupRows } from "./format.ts";
import { selectColumns } from "./select-columns.ts";

/** Loads rows of a backup into the tables that the migrations made, without the columns that an operator had added to them. */
export class TableLoader {
  /** Names of the columns of each table that had rows so far. */
  readonly #columns = new Map<string, ReadonlySet<string>>();

  /** @param leftOut is told of each column that the table does not have. */
  constructor(
    private readonly connection: Connection,
    private readonly leftOut: (column: string) => void,
  ) {}

  /** Loads the rows, or a part of them. @throws {BackupError} when the database has no such table. */
  async load({ table, columns, data }: BackupRows): Promise<void> {
    const isFirstPart = !this.#columns.has(table);
    const present = this.#columns.get(table) ?? (await readColumns(this.connection, table));
    this.#columns.set(table, present);
    const isKept = columns.map((column) => present.has(unquote(column)));
    const kept = columns.filter((_, index) => isKept[index]);
    if (kept.length === 0) throw new BackupError(`The backup has rows of ${table}, which no migration makes.`);
    if (kept.length === columns.length) return this.connection.copyFrom(`${table} (${columns.join(", ")})`, data);
    if (isFirstPart) {
      for (const [index, column] of columns.entries()) if (!isKept[index]) this.leftOut(`${table}.${column}`);
    }
    return this.connection.copyFrom(`${table} (${kept.join(", ")})`, selectColumns(data, isKept));
  }
}

async function readColumns(connection: Connection, table: string): Promise<ReadonlySet<string>> {
  const rows = await connection.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
    [table],
  );
  return new Set(rows.map(({ name }) => name));
}

/** A name without its quotes: whether it has them depends on the version of Postgres. */
const unquote = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
