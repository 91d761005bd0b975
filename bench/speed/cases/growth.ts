import { hashKey } from "../../../shared/auth/key.ts";
import { costRatio } from "../compare.ts";
import { askInTurns, type Side } from "../in-turns.ts";
import { modes } from "../modes.ts";
import { type SpeedRow, speedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";
import { listCall } from "../sql.ts";

/**
 * The RPCs of lists and searches on tables of different sizes, in turns. The ratio is to a table a
 * tenth the size, or to the smallest one.
 */
export const measureGrowth: ServerCase = async ({ databases, effort, report }) => {
  const measured: SpeedRow[] = [];
  for (const { name, places, requestAt } of modes) {
    report(`growth: ${name}`);
    const sides = await Promise.all(
      databases.map(async ({ rows, connection, keys }): Promise<Side<number>> => {
        const keyHash = await hashKey(keys.unlimited);
        return { name: String(rows), ask: (place) => listCall(connection, keyHash, requestAt(place)) };
      }),
    );
    const timings = await askInTurns(sides, places, effort.rounds);
    for (const { rows } of databases) {
      const timing = timings.get(String(rows));
      const smaller = timings.get(String(Math.round(rows / 10))) ?? timings.get(String(databases[0]?.rows));
      if (timing === undefined || smaller === undefined) throw new Error(`${name}: ${rows} rows were not measured`);
      measured.push(speedRow("growth", name, rows, timing, costRatio(timing, smaller)));
    }
  }
  return { rows: measured };
};
