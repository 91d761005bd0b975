import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import type { Connection } from "../../database/connection.ts";
import { type FunctionProcess, startFunctions } from "./functions.ts";

const run = promisify(execFile);

/** Postgres's code while it starts, recovers or ends. */
const cannotConnectNow = "57P03";

type Program = "postgres" | "postgrest";

/** The stack that tests/faults/run.sh starts, and what can happen to it. */
export interface NativeStack {
  baseUrl: string;
  /** Connects anew where the connection broke, and waits for a Postgres that recovers. */
  connection: Connection;
  functions: FunctionProcess;
  /** A session of its own. */
  session(): Promise<pg.Client>;
  kill(program: Program): Promise<void>;
  /** @param environment of the program alone. */
  start(program: Program, environment?: Record<string, string>): Promise<void>;
  /** `pg_ctl stop -m immediate`, and a start, perhaps with another environment: a recovery from the log. */
  restartImmediately(environment?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function openNativeStack(environment: Record<string, string> = {}): Promise<NativeStack> {
  const { DATABASE_URL: databaseUrl, STACK_DIR: folder } = process.env;
  if (databaseUrl === undefined || folder === undefined) throw new Error("tests/faults/run.sh starts the stack");
  const control = async (words: string[], changes: Record<string, string> = {}) => {
    const env = {
      ...process.env,
      ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [`SERVER_${name}`, value])),
    };
    await run("tests/faults/process.sh", [folder, ...words], { env });
  };
  const functions = await startFunctions(environment);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // A connection that breaks while it lies idle is replaced.
  pool.on("error", () => undefined);
  return {
    baseUrl: functions.baseUrl,
    functions,
    connection: {
      query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
        (await recovered(() => pool.query(text, [...parameters]))).rows as Row[],
      execute: async (text) => void (await recovered(() => pool.query(text))),
      transaction: () => Promise.reject(new Error("a pool has no transaction")),
      copyTo() {
        throw new Error("a pool has no copy");
      },
      copyFrom: () => Promise.reject(new Error("a pool has no copy")),
      close: () => pool.end(),
    },
    async session() {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    kill: (program) => control(["kill", program]),
    start: (program, changes) => control(["start", program], changes),
    restartImmediately: (changes) => control(["immediate-restart"], changes),
    async stop() {
      await functions.kill();
      await pool.end();
    },
  };
}

/** How long Postgres may recover, on a machine whose disk is busy. */
const recoversWithinMs = 60_000;

/** Repeats what could not connect because Postgres starts or recovers: nothing has run yet. */
async function recovered<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + recoversWithinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const { code } = error as { code?: string };
      const isStarting = code === cannotConnectNow || code === "ECONNREFUSED" || code === "ENOENT";
      if (!isStarting || performance.now() > deadline) throw error;
    }
    await sleep(100);
  }
}
