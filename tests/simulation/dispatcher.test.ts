import { describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { plantBug } from "../support/planted-bug.ts";
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

/** Bugs that a careless change could make: function, text, text in its place. */
const bugs: Record<string, [name: string, from: string, to: string, fault: RegExp]> = {
  "retries come ten times too soon": [
    "funding.jittered",
    "seconds * (0.8",
    "seconds * 0.1 * (0.8",
    /came .* s after the one before/,
  ],
  "claims of killed dispatchers are not released": [
    "funding.release_lost_claims",
    "where delivery.claimed_until <= present",
    "where delivery.claimed_until <= present and false",
    /claimed for more than a lease/,
  ],
  "what is due is claimed minutes later": [
    "public.claim_deliveries",
    "and delivery.due_at <= present",
    "and delivery.due_at <= present - interval '2 minutes'",
    /due for more than a lease/,
  ],
  "events that come while a webhook is paused are not for it": [
    "funding.fan_out_records",
    "endpoint.state <> 'disabled'",
    "endpoint.state = 'active'",
    /never came to/,
  ],
  "a failure ends the delivery": [
    "public.finish_deliveries",
    "when before.wait_seconds is null then 'failed' else 'pending' end",
    "when before.wait_seconds is null then 'failed' else 'failed' end",
    /a dispatcher failed|never came to|finish_deliveries/,
  ],
  "a claim counts no attempt": [
    "public.claim_deliveries",
    "set attempts = delivery.attempts + 1,",
    "set attempts = greatest(delivery.attempts, 1),",
    /claimed twice/,
  ],
  "a 410 disables nothing": [
    "funding.disabling_reason",
    "when is_gone then",
    "when is_gone and false then",
    /claimed after a 410/,
  ],
  "an attempt sends what the record is by then": [
    "public.claim_deliveries",
    "'data', funding.event_data(happened, taken.has_details),",
    "'data', happened.data::jsonb || jsonb_build_object('attempt', taken.attempts),",
    /another body than the first time/,
  ],
  "all that waits for one endpoint is claimed before another's": [
    "public.claim_deliveries",
    "not is_failing order by position, due_at limit maximum",
    "not is_failing order by endpoint_id, due_at limit maximum",
    /was given more than .*, which waits/,
  ],
};

describe("a planted bug is found:", () => {
  test.each(Object.entries(bugs))("%s", async (_, [name, from, to, fault]) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 6 && !found.some((text) => fault.test(text)); seed++) {
      const plant = async (connection: Connection) => void (await plantBug(connection, { name, from, to }));
      const { faults } = await runSimulation({ seed, days: 3, plant });
      found.push(...faults);
    }
    expect(found.filter((text) => fault.test(text)).slice(0, 1), found.slice(0, 5).join("\n")).toHaveLength(1);
  });
});
