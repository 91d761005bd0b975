import { hashKey } from "../../../shared/auth/key.ts";
import { costRatio, medianRatio } from "../compare.ts";
import { computeTenfold } from "../extrapolate.ts";
import { type Side, timeInTurns } from "../in-turns.ts";
import { callListRpc } from "../list-requests.ts";
import { modes, warmUpRounds } from "../modes.ts";
import { makeSpeedRow, type SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

/**
 * Measures the RPCs of lists and searches on tables of different sizes, in turns. The reference is a table of a tenth of
 * the size, or the smallest one, which has none. A table has what the new requests would take with ten times the records of the
 * largest.
 */
export const measureGrowth: ServerCase = async ({ databases, effort, report }) => {
  const measured: SpeedRow[] = [];
  const computed: object[] = [];
  for (const { name, isNew, indexes, requestAt } of modes()) {
    report(`growth: ${name}`);
    const sides = await Promise.all(
      databases.map(async ({ rows, connection, keys }): Promise<Side<number>> => {
        const keyHash = await hashKey(keys.unlimited);
        return { name: String(rows), run: (index) => callListRpc(connection, keyHash, requestAt(index)) };
      }),
    );
    const timings = await timeInTurns(sides, indexes, effort.rounds, warmUpRounds);
    const sizes = databases.flatMap(({ rows }) => {
      const timing = timings.get(String(rows));
      return timing === undefined ? [] : [{ ...timing, rows }];
    });
    if (isNew) computed.push(...computeTenfold(name, sizes));
    for (const { rows } of databases) {
      const timing = timings.get(String(rows));
      const smallest = databases[0]?.rows;
      const smaller = timings.get(String(Math.round(rows / 10))) ?? timings.get(String(smallest));
      if (timing === undefined || smaller === undefined) throw new Error(`${name}: ${rows} rows were not measured`);
      measured.push(makeSpeedRow("growth", name, rows, timing, rows === smallest ? null : costRatio(timing, smaller)));
      const larger = timings.get(String(rows * 10));
      // How much of the time does not depend on the records.
      if (larger !== undefined)
        measured.push(makeSpeedRow("fixed_cost", name, rows, timing, medianRatio(timing, larger)));
    }
  }
  return {
    rows: measured,
    tables: [{ title: "Computed for ten times the records, p50 / p95, if memory holds what is read", lines: computed }],
  };
};
