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
