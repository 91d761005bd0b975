import { createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import type { DemoOptions } from "../../local/demo/generate.ts";
import { loadDemoData } from "../../local/demo/load.ts";
import type { Report, SpeedKeys } from "./speed-case.ts";

/** Options of the records that all measurements use. A smaller run's grants are the first of a larger one's. */
export function recordOptions(grants: number): DemoOptions {
  return { seed: 1, grants, contracts: 0, funders: 1_000 };
}

/** Quota that no measurement uses up. */
const dailyQuota = 1_000_000_000;

/** Loads grants into a migrated database, also over the connections `beside`, fits the lexicon on them and vacuums. */
export async function loadRecords(
  connection: Connection,
  grants: number,
  report: Report,
  beside: readonly Connection[] = [],
): Promise<void> {
  let shownAt = Date.now();
  const reportSome = (dataset: string, records: number) => {
    if (Date.now() - shownAt < 5_000) return;
    shownAt = Date.now();
    report(`  loaded ${records} ${dataset}`);
  };
  await loadDemoData(connection, recordOptions(grants), reportSome, { beside });
  await fitLexicon(connection, (step) => report(`  ${step}`));
  await connection.execute("vacuum analyze");
}

/** Opens the accounts of the measurements, and creates their keys. */
export async function createSpeedKeys(connection: Connection): Promise<SpeedKeys> {
  await defineTier(connection, "metered", dailyQuota);
  return {
    unlimited: await createKeyOnTier(connection, "developer"),
    metered: await createKeyOnTier(connection, "metered"),
  };
}

async function createKeyOnTier(connection: Connection, tier: string): Promise<string> {
  const email = `${tier}@bench.example`;
  await createAccount(connection, email, tier);
  return (await createKey(connection, email, "bench")).key;
}
