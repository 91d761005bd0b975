import { afterAll, beforeAll, expect, test } from "vitest";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { listenForPostgresClients, type PostgresSocket } from "../../../local/embedded/postgres-socket.ts";
import { SessionLock } from "../../../local/embedded/session.ts";
import { openTestDatabase } from "../../support/service.ts";

let lock: SessionLock;
let socket: PostgresSocket;
beforeAll(async () => {
  lock = new SessionLock(await openTestDatabase());
  socket = await listenForPostgresClients(lock, 0, { password: "postgres" });
});
afterAll(async () => {
  socket.close();
  await lock.database.close();
});

test("the embedded stack answers between the batches of a refit, with records to show", async () => {
  const connection = await connectPostgres(`postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`);
  let step = "";
  let isDone = false;
  const fit = fitLexicon(connection, (line) => (step = line), 64).finally(() => {
    isDone = true;
  });
  const answers: { during: string; records: number }[] = [];
  while (!isDone) {
    const during = step;
    const records = await lock.run(async (database) => {
      const { rows } = await database.query<{ records: number }>(
        "select json_array_length(funding.list('grants', $1)->'results') as records",
        [JSON.stringify({ search: "clean water", search_mode: "hybrid", limit: 5, offset: 0 })],
      );
      return rows[0]?.records ?? 0;
    });
    answers.push({ during, records });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await fit;
  await connection.close();
  expect(answers.filter(({ records }) => records !== 5)).toEqual([]);
  expect(answers.filter(({ during }) => during.startsWith("preparing")).length).toBeGreaterThanOrEqual(2);
});
