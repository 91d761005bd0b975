import pg from "pg";
import type { Random } from "../../../local/demo/random.ts";
import type { Clock } from "../clock.ts";
import type { Disk } from "../disk.ts";
import type { Report } from "../report.ts";
import type { Server, Victim } from "../server.ts";
import { sleep } from "../time.ts";

const megabyte = 1024 ** 2;

/** Target of a fault. */
export interface Machine {
  server: Server;
  disk: Disk | undefined;
  clock: Clock | undefined;
  random: Random;
  report: Report;
  /** Time for which a fault lasts. */
  hold(): Promise<void>;
}

/** A fault, from its beginning to its end. */
export interface Fault {
  /** The part of the mix that `--without` leaves out. */
  part: "kills" | "disk" | "clock";
  name: string;
  happen(machine: Machine): Promise<void>;
}

const kill = (victim: Victim): Fault => ({
  part: "kills",
  name: `SIGKILL of the ${victim}`,
  happen: ({ server }) => server.kill(victim),
});

const fill = (name: string, megabytes: readonly number[]): Fault => ({
  part: "disk",
  name,
  async happen({ disk, random, report, hold }) {
    if (disk === undefined) return;
    const left = random.pick(megabytes);
    report.say(`  ${left} MB are left on the disk`);
    disk.leave(left * megabyte);
    await hold();
    // What the server writes may have taken the rest, and what it deletes may have given some back.
    report.say(`  ${Math.floor(disk.freeBytes() / megabyte)} MB are left, and it is freed`);
    disk.free();
  },
});

/** An operator's statements, which no reserve holds back, fill the disk from within the write-ahead log. */
const fillFromWithin: Fault = {
  part: "disk",
  name: "a disk that is filled by the database's own log",
  async happen({ disk, server, report, hold }) {
    if (disk === undefined) return;
    const { database_url } = await server.ready();
    disk.leave(8 * megabyte);
    let isOver = false;
    const held = hold().then(() => {
      isOver = true;
    });
    const client = new pg.Client({ connectionString: database_url });
    client.on("error", () => undefined);
    const isDone = (text: string) =>
      client.query(text).then(
        () => true,
        () => false,
      );
    await client.connect().catch(() => undefined);
    await isDone("create table if not exists ballast (text text)");
    while (!isOver && server.isReady) {
      if (await isDone("insert into ballast select repeat(md5(n::text), 60) from generate_series(1, 500) as n"))
        continue;
      await isDone("checkpoint");
      await sleep(50);
    }
    report.say(server.isReady ? "  the server has outlived it" : "  the server has ended");
    await client.end().catch(() => undefined);
    await held;
    disk.free();
    const { database_url: now } = await server.ready();
    await dropBallast(now);
  },
};

async function dropBallast(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("drop table if exists ballast");
  await client.end();
}

const setClock = (name: string, offsets: readonly string[]): Fault => ({
  part: "clock",
  name,
  async happen({ clock, random, report, hold }) {
    if (clock === undefined) return;
    const offset = random.pick(offsets);
    report.say(`  the clock is set to ${offset}`);
    clock.set(offset);
    // Old rows are deleted now and then only.
    for (let times = 0; times < 3; times++) await hold();
    clock.set("+0");
    await hold();
  },
});

/** The faults of the machine and its operator. Each happens once before any happens again. */
export const faults: Fault[] = [
  kill("server"),
  kill("launcher"),
  kill("npm"),
  fill("a disk that is nearly full", [20, 60, 100]),
  fill("a disk that is full", [0, 1, 8]),
  fillFromWithin,
  setClock("a clock far ahead", ["+450d", "+40d"]),
  setClock("a clock a day ahead", ["+26h", "+2h"]),
  setClock("a clock behind", ["-26h", "-1h"]),
];
