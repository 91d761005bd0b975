import { readFile } from "node:fs/promises";
import type { Connection } from "../../database/connection.ts";
import { segmentTables } from "../../database/lexicon/seal.ts";
import { readUsage } from "../process-usage.ts";
import { round } from "../statistics.ts";

/** Tables by the cause of their growth. All others keep the past: changes, imports, usage. */
const groups: Record<string, readonly string[]> = {
  records: ["grants", "funders", "contracts", "record_identifiers"],
  vectors: ["grants_vectors_0", "grants_vectors_1"],
  segments: segmentTables,
  lexicon: ["lexicon", "lexicon_fit", "next_fit"],
};

/** Sizes of groups of tables with their indexes, in MB. */
export async function readTableSizes(connection: Connection): Promise<Record<string, number>> {
  const tables = await connection.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::double precision as bytes from pg_class
     where relnamespace = 'funding'::regnamespace and relkind = 'r'`,
  );
  const sizes: Record<string, number> = {
    ...Object.fromEntries(Object.keys(groups).map((name) => [name, 0])),
    others: 0,
  };
  for (const { name, bytes } of tables) {
    const group = Object.keys(groups).find((key) => groups[key]?.includes(name)) ?? "others";
    sizes[group] = (sizes[group] ?? 0) + bytes / 1e6;
  }
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, round(size, 0)]));
}

/** Memory of the function and of PostgREST, and the unshared memory of the database's sessions, in MB. */
export async function readMemory(connection: Connection, pids: { api: number; postgrest: number }) {
  const sessions = await connection.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
  );
  const own = await Promise.all(sessions.map(({ pid }) => readOwnMegabytes(pid)));
  return {
    function: (await readUsage(pids.api))?.memoryMegabytes,
    PostgREST: (await readUsage(pids.postgrest))?.memoryMegabytes,
    Postgres: round(
      own.reduce((sum, size) => sum + size, 0),
      0,
    ),
    sessions: sessions.length,
  };
}

/** Memory of a process that it shares with no other; 0 when it has ended or may not be read. */
async function readOwnMegabytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss_Anon:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1_024;
}
