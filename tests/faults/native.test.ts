import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { type NativeStack, openNativeStack } from "./native-stack.ts";
import { type LoadedStack, loadStack, sleep } from "./under-load.ts";

const run = promisify(execFile);

let stack: NativeStack;
let loaded: LoadedStack;

beforeAll(async () => {
  stack = await openNativeStack();
  loaded = await loadStack(stack);
});
afterAll(() => stack.stop());

test("Postgres is killed and started again", async () => {
  await loaded.during("Postgres killed", async () => {
    await stack.kill("postgres");
    await sleep(1_500);
    await stack.start("postgres");
  });
});

test("Postgres is restarted immediately, twice", async () => {
  await loaded.during("immediate restarts", async () => {
    await stack.restartImmediately();
    await sleep(1_000);
    await stack.restartImmediately();
  });
});

test("sessions are killed, for which Postgres ends all others and recovers", async () => {
  await loaded.during("sessions killed", async () => {
    for (let round = 0; round < 2; round++) {
      const [session] = await stack.connection.query<{ pid: number }>(
        "select pid from pg_stat_activity where usename = 'authenticator' order by random() limit 1",
      );
      if (session !== undefined) process.kill(session.pid, "SIGKILL");
      await sleep(1_500);
    }
    await stack.connection.query("select 'recovered'");
  });
});

test("PostgREST is killed and started again, twice", async () => {
  await loaded.during("PostgREST killed", async () => {
    for (let round = 0; round < 2; round++) {
      await stack.kill("postgrest");
      await sleep(700);
      await stack.start("postgrest");
      await sleep(700);
    }
  });
});

test("every connection of PostgREST waits for a lock that somebody holds", async () => {
  await loaded.during(
    "pool exhausted",
    async () => {
      const holder = await stack.session();
      await holder.query("begin");
      await holder.query("lock table funding.api_keys in access exclusive mode");
      await sleep(5_000);
      await holder.query("rollback");
      await holder.end();
    },
    { connections: 60 },
  );
});

test("every connection of Postgres is taken while PostgREST starts", async () => {
  await loaded.during("connections exhausted", async () => {
    const holders: pg.Client[] = [];
    await stack.kill("postgrest");
    try {
      for (;;) holders.push(await stack.session());
    } catch {
      // There are no more.
    }
    await stack.start("postgrest");
    await sleep(2_000);
    await Promise.all(holders.map((holder) => holder.end()));
  });
});

test.skipIf(process.env.STACK_HAS_OWN_DISK === undefined)("the disk is full for a while", async () => {
  await loaded.during(
    "disk full",
    async () => {
      const ballast = join(process.env.STACK_DIR ?? "", "ballast");
      // It ends with the error that is wanted: no space left.
      await run("dd", ["if=/dev/zero", `of=${ballast}`, "bs=1M"]).catch(() => undefined);
      await sleep(4_000);
      await rm(ballast);
      // Postgres may have given up, as it does when it cannot write its log; a supervisor starts it again.
      await stack.start("postgres");
    },
    { resumesWithinMs: 15_000 },
  );
});
