import type { Connection } from "../../database/connection.ts";
import type { SpeedKeys } from "./records.ts";
import type { SpeedRow } from "./row.ts";

/** A scratch database with so many grants, fitted. */
export interface LoadedDatabase {
  rows: number;
  url: string;
  connection: Connection;
  keys: SpeedKeys;
}

/** How much is measured. */
export interface Effort {
  /** Requests under way at once where throughput is measured. */
  connections: number;
  /** Rounds that count. */
  rounds: number;
  /** How long a side works before it is the next one's turn, where throughput is measured. */
  sliceMs: number;
}

export type Report = (step: string) => void;

/** A comparison on one database on a server. */
export type DatabaseCase = (database: LoadedDatabase, effort: Effort, report: Report) => Promise<SpeedRow[]>;
