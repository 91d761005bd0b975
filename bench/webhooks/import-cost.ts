import type { Connection } from "../../database/connection.ts";
import { median } from "../statistics.ts";
import { subscribe } from "./deliveries.ts";
import { generateBatches, writeBatches } from "./records.ts";

const subscribers = 10;
const runs = 3;

/** Measures the seconds of an import of new grants without subscribers and with ten, in turns, and their ratio. */
export async function measureImportCost(connection: Connection, records: number): Promise<object> {
  const without: number[] = [];
  const withSubscribers: number[] = [];
  const warmUp = await load(connection, "warm-up", records / 4);
  if (warmUp === 0) throw new Error("nothing was loaded");
  for (let run = 0; run < runs; run++) {
    without.push(await load(connection, `without-${run}`, records));
    const accounts = [];
    for (let index = 0; index < subscribers; index++) {
      const parameters = { opportunity_type: "open", search: "water", states: ["OH"] };
      const filters = index === 0 ? {} : { grants: { query: "search=water&states=OH", parameters } };
      accounts.push(await subscribe(connection, "https://receiver.example.org/", filters));
    }
    withSubscribers.push(await load(connection, `with-${run}`, records));
    await connection.query("delete from funding.accounts where id = any ($1)", [accounts]);
    await connection.query("delete from funding.events", []);
  }
  return {
    "without subscribers, s": median(without).toFixed(2),
    [`with ${subscribers}, s`]: median(withSubscribers).toFixed(2),
    "times as long": (median(withSubscribers) / median(without)).toFixed(2),
  };
}

async function load(connection: Connection, source: string, records: number): Promise<number> {
  const batches = generateBatches(source, records);
  const started = performance.now();
  await writeBatches(connection, batches);
  const seconds = (performance.now() - started) / 1000;
  await connection.query("delete from funding.grants where source = $1", [source]);
  return seconds;
}
