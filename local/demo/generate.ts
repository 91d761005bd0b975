import type { ContractRecord, FunderRecord, GrantRecord } from "../../ingest/record.ts";
import { publisherDay } from "../../shared/publisher-day.ts";
import { dayOf } from "./calendar.ts";
import { contractRecord } from "./contracts/record.ts";
import { directoryOf } from "./funders/directory.ts";
import { funderRecord } from "./funders/record.ts";
import { grantRecord } from "./grants/record.ts";

/** Seed, date and size of a run of the generator. */
export interface DemoOptions {
  /** Another seed gives other records. @default 1 */
  seed?: number;
  /** Dates are laid around this moment; only its UTC date counts. @default now */
  today?: Date;
  /** @default 3000 */
  grants?: number;
  /** @default 1200 */
  contracts?: number;
  /** Grants and contracts refer to these funders, so the count changes them too. @default 300 */
  funders?: number;
}

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
 * Invented grant opportunities and funded projects, made one at a time, so that a run of any size
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

function withDefaults(options: DemoOptions): Required<DemoOptions> {
  return {
    seed: options.seed ?? 1,
    today: options.today ?? new Date(publisherDay(new Date())),
    grants: options.grants ?? 3000,
    contracts: options.contracts ?? 1200,
    funders: options.funders ?? 300,
  };
}
