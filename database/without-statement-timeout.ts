import type { Connection } from "./connection.ts";

/** A transaction that a hosted database's statement timeout does not end. */
export function withoutStatementTimeout<Result>(
  connection: Connection,
  work: (transaction: Connection) => Promise<Result>,
): Promise<Result> {
  return connection.transaction(async (transaction) => {
    await transaction.execute("set local statement_timeout = 0");
    return work(transaction);
  });
}

/** Does work that cannot be in a transaction, such as building an index concurrently, and that a hosted database's statement timeout does not end. */
export async function withoutSessionTimeout<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.execute("set statement_timeout = 0");
  try {
    return await work();
  } finally {
    await connection.execute("reset statement_timeout");
  }
}
