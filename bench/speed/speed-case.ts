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

/** Is told what is being done, for the person who waits. */
export type Report = (step: string) => void;

/** What a case found: its rows, and what does not fit into rows of times. */
export interface Findings {
  rows: SpeedRow[];
  tables?: { title: string; lines: object[] }[];
}

/** What a case that needs a server works with. */
export interface ServerSetting {
  /** The one with as many rows as were asked for. */
  database: LoadedDatabase;
  /** All that were loaded, the smallest first. */
  databases: readonly LoadedDatabase[];
  /** Where scratch databases can be created. */
  serverUrl: string;
  effort: Effort;
  report: Report;
}

/** A comparison on a server. */
export type ServerCase = (setting: ServerSetting) => Promise<Findings>;
