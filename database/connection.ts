/**
 * A connection to the service's database, as operator commands and the embedded stack see it: the
 * same over PGlite in this process and over a socket to a Postgres elsewhere.
 */
export interface Connection {
  /**
   * Runs one statement.
   *
   * @param parameters values for `$1`, `$2`...; pass JSON as its text.
   * @returns the rows. `json` columns come parsed; cast `bigint` to a type that JavaScript holds.
   */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Runs any number of statements without parameters. */
  execute(text: string): Promise<void>;
  /**
   * Runs `copy ... to`, in Postgres' text format. All of it is in memory at once.
   *
   * @param what a table with its columns, or a query in brackets.
   */
  copyTo(what: string): AsyncIterable<Uint8Array>;
  /** Runs `copy ... from`, in Postgres' text format. @param table the table with its columns. */
  copyFrom(table: string, data: AsyncIterable<Uint8Array>): Promise<void>;
  /** Runs `work` in a transaction, which rolls back if it throws. In a transaction, `work` is part of it. */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Runs a statement that gives exactly one row. */
export async function queryOne<Row>(
  connection: Connection,
  text: string,
  parameters?: readonly unknown[],
): Promise<Row> {
  const [row, ...others] = await connection.query<Row>(text, parameters);
  if (row === undefined || others.length > 0) {
    throw new Error(`expected one row, got ${row === undefined ? 0 : others.length + 1}`);
  }
  return row;
}

/** Runs a statement that gives exactly one value. */
export async function queryValue<Value>(
  connection: Connection,
  text: string,
  parameters?: readonly unknown[],
): Promise<Value> {
  const [value] = Object.values(await queryOne<Record<string, Value>>(connection, text, parameters));
  return value as Value;
}

/** Runs work on a connection, which is closed afterwards. */
export async function closeAfter<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
