import { appendFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { Random } from "../../local/demo/random.ts";
import { createCallers, createLimitedCaller } from "../load/callers.ts";
import { prepareMix } from "../load/mix.ts";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, run } from "../server/server-process.ts";
import { Clock } from "./clock.ts";
import { Account } from "./customer/account.ts";
import { Activity } from "./customer/activity.ts";
import { Catalogue } from "./customer/catalogue.ts";
import { Client } from "./customer/client.ts";
import { Events } from "./customer/events.ts";
import { History } from "./customer/history.ts";
import { Lister } from "./customer/lister.ts";
import { Reader } from "./customer/reader.ts";
import { RecordWriter } from "./customer/records.ts";
import { Session } from "./customer/session.ts";
import { Disk } from "./disk.ts";
import { type Fault, faults, type Machine } from "./faults/faults.ts";
import { Report } from "./report.ts";
import { Server } from "./server.ts";
import { strangers, type Target } from "./strangers/strangers.ts";
import { sleep, within } from "./time.ts";

/** Parts of the mix that can be left out. */
export const parts = ["kills", "disk", "clock", "downloads", "sockets", "malformed"] as const;
export type Part = (typeof parts)[number];

export interface MixOptions {
  minutes: number;
  seed: number;
  without: readonly Part[];
  log: string | undefined;
}

/** The disk has room for an hour's writes beside the demo. */
const diskMegabytes = 1_200;
/** After a fault, everything must have been right once more by then. */
const recoveryMs = 180_000;
/** The same where it was not after an earlier fault, either. */
const laterRecoveryMs = 10_000;
/** Runs shorter than this have short faults. */
const shortMinutes = 10;

/** Limits of a day, and of things at a time, which an hour of writes would reach. */
const settings = {
  maximum_active_keys: 1_000,
  write_limit_key_creations: -1,
  write_limit_key_revocations: -1,
  write_limit_webhook_creations: -1,
  write_limit_webhook_deletions: -1,
  write_limit_saved_search_creations: -1,
  write_limit_saved_search_deletions: -1,
};

/** Everything that has to be ended. The last is ended first. */
class Endings {
  readonly #all: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#all.push(end);
  }

  async run(): Promise<void> {
    for (const end of this.#all.reverse()) await end();
    this.#all.length = 0;
  }
}

/** @returns whether everything was as it must be. */
export async function runMix(options: MixOptions): Promise<boolean> {
  const endings = new Endings();
  const stop = () => void endings.run().finally(() => process.exit(130));
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const { log } = options;
  const report = new Report((line) => {
    if (log !== undefined) appendFileSync(log, `${line}\n`);
  });
  try {
    await mixUntilOver(options, report, endings);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    await endings.run();
  }
  report.print();
  return report.violations === 0;
}

async function mixUntilOver(options: MixOptions, report: Report, endings: Endings): Promise<void> {
  const { minutes, seed, without } = options;
  console.log(`seed ${seed}: ${minutes} minutes${without.length > 0 ? ` without ${without.join(", ")}` : ""}`);
  const random = (stream: string) => new Random(seed, stream, 0);

  const disk = without.includes("disk") ? undefined : Disk.mount(diskMegabytes);
  if (disk !== undefined) endings.add(() => disk.unmount());
  const clock = without.includes("clock") ? undefined : new Clock();
  if (clock !== undefined) endings.add(() => clock.close());
  const scratch = await mkdtemp(join(tmpdir(), "funding-hostile-"));
  endings.add(() => rm(scratch, { recursive: true, force: true }));

  const data = await copyDemoFolder(join(disk?.folder ?? scratch, "data"));
  const events = await Events.open(report);
  endings.add(() => events.close());
  const port = await freePort();
  const environment = {
    DATA_DIR: data,
    PORT: String(port),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    // A thread that is blocked for good is ended while the customer still waits.
    WATCHDOG_SECONDS: "20",
    ...clock?.environment,
  };
  const log = options.log;
  const server = new Server(environment, disk, report, (line) => {
    if (log !== undefined) appendFileSync(log, line);
  });
  endings.add(() => server.killAll());
  let running = server.keepRunning();

  const ready = await server.ready();
  const client = new Client(new URL(ready.base_url).origin, server, report);
  endings.add(() => client.close());
  const snapshot = await run({ DATA_DIR: data }, ["npm", "run", "--silent", "snapshot"]).exit;
  if (snapshot !== 0) throw new Error(`npm run snapshot ended with ${snapshot}`);
  const session = new Session(client, data);
  const webhook = await session.request("webhook, made", "POST", "/webhooks", events.webhook);
  if (webhook?.status !== 201) throw new Error(`the webhook was not made: ${webhook?.status} ${webhook?.body}`);

  const connection = await connectPostgres(ready.database_url);
  await prepare(connection);
  const catalogue = new Catalogue();
  const writer = new RecordWriter(client, catalogue, random("writer"), scratch, disk);
  const importer = new RecordWriter(client, catalogue, random("importer"), scratch, disk);
  endings.add(() => Promise.all([writer.close(), importer.close()]));
  // The publisher and funder of all that is written are there before the right answers are read.
  if (!(await writer.write())) throw new Error("no record can be written");
  const callers = await createCallers(connection);
  const limited = await createLimitedCaller(connection, 1_000_000);
  const stranger = (await createCallers(connection)).developers[0];
  const mixes = [await prepareMix(ready.base_url, connection, callers, () => limited)];
  const account = new Account(client, session, random("account"));
  const lister = new Lister(client, catalogue, random("lister"), ready.api_key);
  await account.change();
  const history = await History.read(connection);
  await connection.close();
  report.say("right answers are known: the mix begins");

  const isShort = minutes < shortMinutes;
  const activities = [
    ...mixes.map((mix) => new Activity("reading", () => new Reader(client, mix, random("reader")).read(), 50)),
    new Activity("listing what was written", () => lister.list(), 500),
    new Activity("account writes", () => account.change(), 700),
    new Activity("records over the Postgres port", () => writer.write(), 400),
    new Activity("records by import", () => importer.import(), isShort ? 5_000 : 20_000),
  ];
  const work = new AbortController();
  for (const activity of activities) activity.start(AbortSignal.any([work.signal, server.givenUp]));

  const end = new AbortController();
  endings.add(() => end.abort());
  const target: Target = {
    port,
    databasePort: () => (server.isReady ? Number(new URL(ready.database_url).port) : undefined),
    key: stranger.key,
    random: random("strangers"),
    report,
    end: end.signal,
  };
  const visits = strangers
    .filter(([name]) => !without.includes(name as Part))
    .map(async ([, visit, [least, most]]) => {
      while (!end.signal.aborted) {
        if (server.isReady) await visit(target);
        await sleep(target.random.integer(least, most) / (isShort ? 2 : 1), end.signal);
      }
    });

  const holdRandom = random("hold");
  const machine: Machine = {
    server,
    disk,
    clock,
    random: random("faults"),
    report,
    hold: () => sleep(isShort ? holdRandom.integer(2_000, 4_000) : holdRandom.integer(15_000, 60_000), server.givenUp),
  };
  await happen(
    faults.filter(({ part }) => !without.includes(part)),
    machine,
    activities,
    minutes,
  );

  end.abort();
  await Promise.all(visits);
  report.say("the strangers are gone: what was acknowledged is read once more");
  await recovered(activities, report, "the end of the mix", server);
  work.abort();
  for (const { name, ended } of activities.map((activity) => ({ name: activity.name, ended: activity.ended() }))) {
    if (
      (await within(
        recoveryMs,
        ended.then(() => true),
      )) === undefined
    )
      report.violation(`${name} does not end`);
  }
  if (server.givenUp.aborted) return;
  await server.stop();
  await running;
  running = server.keepRunning();
  const last = await within(recoveryMs, server.ready());
  if (last === undefined) return report.violation("the server does not start after the end");
  if (!(await lister.list())) report.violation("after the last start, the list of what was written was not right");
  await account.change();
  await events.judge(catalogue);
  const after = await connectPostgres(last.database_url);
  await history.judge(after, account.made, report);
  await after.close();
  await server.stop();
  await running;
  report.say(`${catalogue.acknowledged.length} records were written, ${server.starts} starts`);
}

async function prepare(connection: Connection): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    const changed = await connection.query(
      "update funding.settings set value = $2::jsonb where name = $1 returning name",
      [name, JSON.stringify(value)],
    );
    if (changed.length !== 1) throw new Error(`there is no setting ${name}`);
  }
}

/** One fault after the other, in an order that is drawn anew each time round, until the time is over and each has happened. */
async function happen(
  all: readonly Fault[],
  machine: Machine,
  activities: readonly Activity[],
  minutes: number,
): Promise<void> {
  const { report, random, server } = machine;
  const ends = performance.now() + minutes * 60_000;
  for (let round = 0; round === 0 || performance.now() < ends; round++) {
    for (const fault of random.sample(all, all.length)) {
      if (round > 0 && performance.now() >= ends) break;
      if (server.givenUp.aborted) return;
      await machine.hold();
      report.say(fault.name);
      report.count("fault", fault.name);
      await fault.happen(machine);
      await recovered(activities, report, fault.name, server);
    }
    if (all.length === 0) await sleep(ends - performance.now());
  }
}

/** Waits until each activity has had a whole round that was right. */
async function recovered(
  activities: readonly Activity[],
  report: Report,
  after: string,
  server: Server,
): Promise<void> {
  const started = performance.now();
  await Promise.all(
    activities.map(async (activity) => {
      const waitMs = activity.isBroken ? laterRecoveryMs : recoveryMs;
      activity.isBroken = (await within(waitMs, untilRight(activity, server))) !== true;
      if (!activity.isBroken) return;
      report.violation(`${activity.name}: not right once in ${waitMs / 1000} s after ${after}`);
    }),
  );
  report.wait(`all was right again after ${after}`, performance.now() - started);
  report.count(`all was right again after ${after}`, activities.some(({ isBroken }) => isBroken) ? "no" : "yes");
}

/** Resolves when a round was right, or there will be none. */
function untilRight(activity: Activity, server: Server): Promise<boolean> {
  const never = new Promise<boolean>((resolve) => {
    server.givenUp.addEventListener("abort", () => resolve(false));
  });
  return Promise.race([activity.nextRound().then(() => true), never]);
}
