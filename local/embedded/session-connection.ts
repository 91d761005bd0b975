import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import type { SessionLock } from "./session.ts";

/**
 * The database as a connection for work in the background. It holds the session for one statement or transaction at a time, so that requests are
 * answered in between. Closing it changes nothing.
 */
export function sessionConnection(lock: SessionLock): Connection {
  const run = <Result>(work: (connection: Connection) => Promise<Result>) =>
    lock.run((database) => work(pgliteConnection(database)));
  return {
    query: (text, parameters) => run((connection) => connection.query(text, parameters)),
    execute: (text) => run((connection) => connection.execute(text)),
    async *copyTo(what) {
      yield* await run(async (connection) => {
        const parts: Uint8Array[] = [];
        for await (const part of connection.copyTo(what)) parts.push(part);
        return parts;
      });
    },
    copyFrom: (table, data) => run((connection) => connection.copyFrom(table, data)),
    transaction: (work) => run((connection) => connection.transaction(work)),
    close: () => Promise.resolve(),
  };
}
