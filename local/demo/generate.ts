import type { ContractRecord, FunderRecord, GrantRecord } from "../../ingest/record.ts";
import { dayOf } from "./calendar.ts";
import { contractRecord } from "./contracts/record.ts";
import { directoryOf } from "./funders/directory.ts";
import { funderRecord } from "./funders.ts";
import { grantRecord } from "./grants/record.ts";
import { type DemoOptions, withDefaults } from "./options.ts";

export type { DemoOptions } from "./options.ts";

/**
 * Invented funders: real federal agencies, and state bodies and foundations that do not exist.
 *
 * The same options always give the same records, and a longer run starts with the shorter one.
 *
 * @example
 * for (const funder of demoFunders({ funders: 2 })) console.log(funder.name);
 */
export function* demoFunders(options: DemoOptions = {}): Generator<FunderRecord> {
  const { seed, today, funders } = withDefaults(options);
  const day = dayOf(today);
  for (let index = 0; index < funders; index++) yield funderRecord(seed, day, index);
}

/**
 * Invented grant opportunities and funded projects, made one at a time so that a run of any size
 * takes the same memory. `funder_source_id` is one that `demoFunders` gives for the same options.
 */
export function* demoGrants(options: DemoOptions = {}): Generator<GrantRecord> {
  const { seed, today, grants, funders } = withDefaults(options);
  const day = dayOf(today);
  const directory = directoryOf(seed, funders);
  for (let index = 0; index < grants; index++) yield grantRecord(seed, day, directory, index);
}

/** Invented solicitations and contract awards, made in the same way as `demoGrants`. */
export function* demoContracts(options: DemoOptions = {}): Generator<ContractRecord> {
  const { seed, today, contracts, funders } = withDefaults(options);
  const day = dayOf(today);
  const directory = directoryOf(seed, funders);
  for (let index = 0; index < contracts; index++) yield contractRecord(seed, day, directory, index);
}
