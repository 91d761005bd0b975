import { expect, test } from "vitest";
import { type Connection, closeAfter, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { demoContracts, demoFunders, demoGrants } from "../../../local/demo/generate.ts";
import { loadDemoData } from "../../../local/demo/load.ts";
import { openEmptyDatabase } from "../../support/service.ts";

const size = { seed: 1, funders: 7, grants: 45, contracts: 12, today: new Date("2026-08-03T15:00:00Z") };

/** A connection to the same database that counts its batches. */
function counting(connection: Connection): { connection: Connection; batches(): number } {
  let batches = 0;
  return {
    connection: {
      ...connection,
      query(text, parameters) {
        batches++;
        return connection.query(text, parameters);
      },
    },
    batches: () => batches,
  };
}

const sourceIds = (connection: Connection) =>
  queryOne(
    connection,
    `select (select array_agg(source_id order by source_id collate "C") from funding.funders) as funders,
            (select array_agg(source_id order by source_id collate "C") from funding.grants) as grants,
            (select array_agg(source_id order by source_id collate "C") from funding.contracts) as contracts`,
  );

const idsOf = (records: Iterable<{ source_id: string }>) => [...records].map(({ source_id }) => source_id).sort();

test("each record is loaded once, whichever connection takes its batch", async () => {
  await closeAfter(pgliteConnection(await openEmptyDatabase()), async (database) => {
    const [first, second] = [counting(database), counting(database)];
    const loaded: number[] = [];
    const report = (dataset: string, records: number) => {
      if (dataset === "grants") loaded.push(records);
    };
    await loadDemoData(first.connection, size, report, { batchSize: 10, beside: [second.connection] });
    expect(first.batches()).toBeGreaterThan(2);
    expect(second.batches()).toBeGreaterThan(2);
    expect(first.batches() + second.batches()).toBe(1 + 5 + 2);
    expect(loaded).toHaveLength(5);
    expect(loaded.at(-1)).toBe(45);
    expect(await sourceIds(database)).toEqual({
      funders: idsOf(demoFunders(size)),
      grants: idsOf(demoGrants(size)),
      contracts: idsOf(demoContracts(size)),
    });
  });
});

test("after an error, no connection takes another batch", async () => {
  await closeAfter(pgliteConnection(await openEmptyDatabase()), async (database) => {
    const other = counting(database);
    const broken: Connection = { ...database, query: () => Promise.reject(new Error("the connection broke")) };
    const loading = loadDemoData(broken, { ...size, funders: 50 }, () => undefined, {
      batchSize: 1,
      beside: [other.connection],
    });
    await expect(loading).rejects.toThrow("the connection broke");
    await database.query("select 1", []);
    expect(other.batches()).toBeLessThanOrEqual(2);
  });
});
