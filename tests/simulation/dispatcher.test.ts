import { expect, test } from "vitest";
import { runSimulation } from "./simulation.ts";

const days = Number(process.env.SIMULATION_DAYS ?? 20);
const seeds = process.env.SIMULATION_SEED === undefined ? [1, 2, 3] : [Number(process.env.SIMULATION_SEED)];

test.each(seeds)("seed %i", async (seed) => {
  const result = await runSimulation({ seed, days });
  console.log(JSON.stringify({ seed, days, ...result, faults: result.faults.slice(0, 10) }));
  expect(result.faults).toEqual([]);
});
