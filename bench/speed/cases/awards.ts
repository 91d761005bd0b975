import type { Connection } from "../../../database/connection.ts";
import { hashKey } from "../../../shared/auth/key.ts";
import { loadAwards } from "../awards.ts";
import { costRatio } from "../compare.ts";
import { withCopy } from "../databases.ts";
import { type Side, timeInTurns } from "../in-turns.ts";
import { callListRpc } from "../list-requests.ts";
import { modes } from "../modes.ts";
import { makeSpeedRow, type SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

/** Awards for each grant: 500,000 beside 79,700. */
const awardsPerGrant = 500_000 / 79_700;

/** Measures lists, searches and links of a catalogue without and with the awards of many years, in turns. */
export const measureAwards: ServerCase = async ({ database, serverUrl, effort, report }) => {
  const awards = Math.round(database.rows * awardsPerGrant);
  return withCopy(serverUrl, database, async (copy) => {
    report(`awards: loading ${awards}`);
    await loadAwards(copy, database.rows, awards, report);
    return { rows: await measureSides(database.connection, copy) };
  });

  async function measureSides(without: Connection, withAwards: Connection): Promise<SpeedRow[]> {
    const keyHash = await hashKey(database.keys.unlimited);
    const sidesOf = (run: (connection: Connection, index: number) => Promise<unknown>): Side<number>[] => [
      { name: "without", run: (index) => run(without, index) },
      { name: "with", run: (index) => run(withAwards, index) },
    ];
    const opportunities = await findOpportunities(without);
    const measurements = [
      ...modes().map(({ name, indexes, requestAt }) => {
        return {
          name,
          indexes,
          sides: sidesOf((connection, index) => callListRpc(connection, keyHash, requestAt(index))),
        };
      }),
      {
        name: "awards of an opportunity",
        indexes: opportunities.map((_, index) => index),
        sides: sidesOf((connection, index) =>
          connection.query(`select public.list_awards($1, $2, '{"limit": 20}')`, [keyHash, opportunities[index]]),
        ),
      },
    ];
    const measured: SpeedRow[] = [];
    for (const { name, indexes, sides } of measurements) {
      report(`awards: ${name}`);
      const timings = await timeInTurns(sides, indexes, effort.rounds);
      const reference = timings.get("without");
      for (const [side, timing] of timings) {
        if (reference === undefined) throw new Error(`${name} was not measured`);
        measured.push(makeSpeedRow("awards", `${name}, ${side}`, database.rows, timing, costRatio(timing, reference)));
      }
    }
    return measured;
  }
};

/** Ids of opportunities, with and without awards under their number. */
async function findOpportunities(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    "select id from funding.grants where classification = 'opportunity' and archived_at is null order by id limit 100",
  );
  return rows.map(({ id }) => id);
}
