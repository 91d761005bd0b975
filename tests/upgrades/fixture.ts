import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DemoKeys } from "../../local/demo/keys.ts";

/** The release whose databases the tests upgrade. `tests/upgrades/run.sh` takes each that is supported: those with a folder here. */
const oldVersion = process.env.UPGRADE_FROM ?? "1.1.0";

/** The demo records of a fixture, dated from one moment for all steps of run.sh, past midnight too. */
export const demoSize = {
  seed: 7,
  grants: 700,
  contracts: 300,
  funders: 80,
  today: new Date(process.env.UPGRADE_TODAY ?? Date.now()),
};

/** Secrets of a fixture's database. They open nothing else. */
export interface Secrets {
  keys: DemoKeys;
  /** A key that was replaced, and the new one; both work until the overlap ends. */
  rotating: { old: string; new: string };
  /** A webhook whose secret was replaced, and both secrets. */
  webhook: { id: string; secret: string; former: string };
  webhook_secrets_key: string;
}

/** Path of a fixture's file. */
export const fixturePath = (name: string) => fileURLToPath(new URL(`${oldVersion}/${name}`, import.meta.url));

export const readSecrets = () => JSON.parse(readFileSync(fixturePath("secrets.json"), "utf8")) as Secrets;
