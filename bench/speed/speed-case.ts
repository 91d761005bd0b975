import type { Connection } from "../../database/connection.ts";
import type { SpeedRow } from "./row.ts";

/** Keys of two accounts. */
export interface SpeedKeys {
  /** Without a quota, so that admission writes nothing. */
  unlimited: string;
  /** With a quota, so that each request is counted in the database before its answer. */
  metered: string;
}

/** A scratch database with grants and a fitted lexicon. */
export interface LoadedDatabase {
  rows: number;
  url: string;
  connection: Connection;
  /** Closes the connection while `work` goes on: a database with a session cannot be copied. */
  pause<Result>(work: () => Promise<Result>): Promise<Result>;
  keys: SpeedKeys;
}

/** Size of a measurement. */
export interface Effort {
  /** Concurrent requests where throughput is measured. */
  connections: number;
  /** Measured rounds, after one for warming up. */
  rounds: number;
  /** Duration of a side's turn where throughput is measured. */
  sliceMs: number;
  /** Whether what has no goal is left out: a size between, pgbench, Orama, and the libraries' ranking. */
  onlyGoals: boolean;
}

/** Reports a step to the user. */
export type Report = (step: string) => void;

/** A figure of a case that is no request's time: memory in MiB, or milliseconds of CPU. */
export interface Figure {
  case: string;
  side: string;
  value: number;
}

/** Findings of a case: its rows, and tables of other figures. */
export interface Findings {
  rows: SpeedRow[];
  figures?: Figure[];
  tables?: { title: string; lines: object[] }[];
}

/** Setting of a case that needs a server. */
export interface ServerSetting {
  /** The database with the requested number of rows. */
  database: LoadedDatabase;
  /** All loaded databases, the smallest first. */
  databases: readonly LoadedDatabase[];
  /** Server on which scratch databases can be created. */
  serverUrl: string;
  /** Hot standbys of it, for the case `replicas`. */
  replicaUrls: readonly string[];
  effort: Effort;
  report: Report;
}

/** A case that needs a server. */
export type ServerCase = (setting: ServerSetting) => Promise<Findings>;
