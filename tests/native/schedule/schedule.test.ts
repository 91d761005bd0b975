import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kill, spawnDeno } from "../../faults/functions.ts";
import { freePort } from "../../server/server-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { loadGrants, type NativeDatabase, openNative } from "../../webhooks/proofs/native.ts";
import { openReceiver, type Receiver } from "../../webhooks/receiver.ts";
import { startRequestWorker } from "./pg-net.ts";

const dispatchSecret = randomBytes(32).toString("hex");

let database: NativeDatabase;
let receiver: Receiver;
let worker: ReturnType<typeof startRequestWorker>;
let dispatchFunction: ChildProcess;
let dispatchUrl: string;

beforeAll(async () => {
  database = await openNative();
  receiver = await openReceiver();
  worker = startRequestWorker(database);
  const port = await freePort();
  dispatchUrl = `http://127.0.0.1:${port}/functions/v1/dispatch`;
  dispatchFunction = spawnDeno(["tests/native/schedule/dispatch-server.ts", String(port)], {
    WEBHOOK_SECRETS_KEY: database.secretsKey,
    DISPATCH_SECRET: dispatchSecret,
  });
  await waitUntil(async () => (await fetch(dispatchUrl).catch(() => undefined))?.status === 405, "it serves");
});
afterAll(async () => {
  await database.query("select cron.unschedule(jobid) from cron.job");
  await worker.stop();
  await kill(dispatchFunction);
  await receiver.close();
  await database.close();
});

const jobs = () => database.query("select jobname, schedule, command, active, database from cron.job");
const runs = () =>
  database.value<number>(
    "select count(*)::int from cron.job_run_details where command = 'select funding.call_dispatch()' and status = 'succeeded'",
  );
const answers = () =>
  database.query<{ status_code: number; content: string }>(
    "select status_code, content from net._http_response order by id",
  );
const job = {
  jobname: "funding dispatch",
  schedule: "10 seconds",
  command: "select funding.call_dispatch()",
  active: true,
  database: "funding",
};

test("the migrations schedule the dispatcher where pg_cron and pg_net are enabled", async () => {
  expect(await jobs()).toEqual([job]);
});

test("schedule_dispatch() schedules it once, however often it is called", async () => {
  await database.query("select cron.unschedule('funding dispatch')");
  expect(await jobs()).toEqual([]);
  for (const _ of [1, 2]) expect(await database.value("select funding.schedule_dispatch()")).toBe(true);
  expect(await jobs()).toEqual([job]);
});

test("while the Vault has no address and secret, pg_cron's runs succeed and call nothing", async () => {
  await database.subscribe({ url: receiver.url, events: ["grant.created"] });
  await loadGrants(database, "scheduled", 1);
  const before = await runs();
  await waitUntil(async () => (await runs()) > before, "pg_cron runs the job");
  expect(await answers()).toEqual([]);
  expect(receiver.received).toEqual([]);
});

test("the job deletes what pg_cron wrote down of its runs more than a day ago, and nothing else", async () => {
  await database.query(`insert into cron.job_run_details (runid, jobid, command, username, status, end_time)
    select -n, 0, case when n <= 700 then 'select funding.call_dispatch()' else 'select 1' end, current_user, 'succeeded',
           now() - case when n <= 600 then interval '25 hours' when n <= 700 then interval '23 hours' else interval '9 days' end
    from generate_series(1, 800) as n`);
  const left = () =>
    database.query<{ count: number }>(
      "select command, count(*)::int from cron.job_run_details where runid < 0 group by command order by command",
    );
  await waitUntil(async () => (await left()).at(-1)?.count === 100, "pg_cron's runs delete the old rows");
  expect(await left()).toEqual([
    { command: "select 1", count: 100 },
    { command: job.command, count: 100 },
  ]);
});

test("with them, pg_cron calls dispatch every ten seconds, and the webhook arrives because of it", async () => {
  await database.query("select vault.create_secret($1, 'dispatch_url'), vault.create_secret($2, 'dispatch_secret')", [
    dispatchUrl,
    dispatchSecret,
  ]);
  await waitUntil(async () => (await answers()).length > 0, "pg_cron calls dispatch");
  expect(await answers()).toMatchObject([{ status_code: 200 }]);
  await waitUntil(() => receiver.received.length > 0, "the webhook arrives");
  await waitUntil(async () => (await answers()).length >= 2, "dispatch is called again");
  expect(receiver.received.map(({ payload }) => [payload.event, payload.data.title])).toEqual([
    ["grant.created", "Clean water for town 0"],
  ]);
  const [first, second] = await answers();
  expect([first?.status_code, second?.status_code]).toEqual([200, 200]);
  expect(JSON.parse(first?.content ?? "")).toMatchObject({ attempts: 1, succeeded: 1 });
  expect(JSON.parse(second?.content ?? "")).toMatchObject({ attempts: 0 });
});
