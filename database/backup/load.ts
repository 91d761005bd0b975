import type { Connection } from "../connection.ts";
import { BackupError, type BackupRows } from "./format.ts";
import { selectColumns } from "./select-columns.ts";
import { type RestorableObjects, unquote } from "./tables.ts";

/** Loads rows of a backup into the tables that the migrations made, without the columns that an operator had added to them. */
export class TableLoader {
  /** Tables that had rows so far. */
  readonly #begun = new Set<string>();

  /** @param leftOut is told of each column that the table does not have. */
  constructor(
    private readonly connection: Connection,
    private readonly objects: RestorableObjects,
    private readonly leftOut: (column: string) => void,
  ) {}

  /** Loads the rows, or a part of them. @throws {BackupError} when a backup may not fill the table, or Postgres refuses a row. */
  async load({ table, columns, data }: BackupRows): Promise<void> {
    const { name, columns: present } = this.objects.table(table);
    const isFirstPart = !this.#begun.has(name);
    this.#begun.add(name);
    const isKept = columns.map((column) => present.has(unquote(column)));
    const kept = columns.filter((_, index) => isKept[index]).map((column) => quote(unquote(column)));
    if (kept.length === 0) throw new BackupError(`The backup has rows of ${table} without a column that it has.`);
    const isWhole = kept.length === columns.length;
    if (isFirstPart) {
      for (const [index, column] of columns.entries()) if (!isKept[index]) this.leftOut(`${table}.${column}`);
    }
    const rows = isWhole ? data : selectColumns(data, isKept);
    try {
      await this.connection.copyFrom(`${name} (${kept.join(", ")})`, rows);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      throw new BackupError(`The backup has a row of ${table} that the database refuses: ${error.message}`);
    }
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Whether Postgres refused a value: its type, a constraint, or the number of columns. */
const isRefusedValue = (error: unknown): error is Error =>
  error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
