import { describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { plantBug } from "../support/planted-bug.ts";
import { dispatcherBugs } from "./bugs.ts";
import { runSimulation } from "./simulation.ts";

/** A long run: SIMULATION_DAYS=365 SIMULATION_SEED=7 npm run test:simulation */
const days = Number(process.env.SIMULATION_DAYS ?? 4);
const seeds = process.env.SIMULATION_SEED?.split(",").map(Number) ?? [1, 2, 3, 4, 5];

test.each(seeds)("with seed %i every promise is kept", async (seed) => {
  const { faults, attempts, deliveries, crashes } = await runSimulation({ seed, days });
  expect(faults).toEqual([]);
  // Something happened: there were deliveries, attempts that failed, and dispatchers that were killed.
  expect(deliveries).toBeGreaterThan(10);
  expect(attempts).toBeGreaterThanOrEqual(deliveries);
  expect(crashes).toBeGreaterThan(0);
});

test("a seed gives the same run again", async () => {
  const [one, two] = [await runSimulation({ seed: 11, days: 1 }), await runSimulation({ seed: 11, days: 1 })];
  expect(two).toEqual(one);
  expect(one.attempts).toBeGreaterThan(10);
});

describe("a planted bug is found:", () => {
  test.each(Object.entries(dispatcherBugs))("%s", async (_, { fault, ...bug }) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 6 && !found.some((text) => fault.test(text)); seed++) {
      const plant = async (connection: Connection) => void (await plantBug(connection, bug));
      const { faults } = await runSimulation({ seed, days: 3, plant });
      found.push(...faults);
    }
    expect(found.filter((text) => fault.test(text)).slice(0, 1), found.slice(0, 5).join("\n")).toHaveLength(1);
  });
});
