import { type Ready, run } from "../server/server-process.ts";
import type { Disk } from "./disk.ts";
import { isRunning, type Process, processesBelow } from "./processes.ts";
import type { Report } from "./report.ts";
import { sleep, within } from "./time.ts";

/** A start must be done by then: the machine may be busy with strangers. */
const startMs = 120_000;
/** From the end of the launcher to the end of the server. */
const followMs = 40_000;
/** From a request to stop to the end. */
const stopMs = 60_000;
/** A client may notice the end this long before the process that waits for it. */
const noticeMs = 5_000;
/** How long after there is room again damage by a full disk may be noticed. */
const afterFullMs = 30_000;
/** Exit status after a fault that the server cannot outlive. */
const faultStatus = 70;
/** Starts that may fail in a row. */
const mostFailedStarts = 5;

/** Which process of `npm start` is killed. */
export type Victim = "server" | "launcher" | "npm";

const commands: Record<Victim, RegExp> = {
  server: /deno run .*local\/start\.ts/,
  launcher: /^\S*node \S*local\/deno\.mjs/,
  npm: /^npm /,
};

/** A time in which nobody need answer. */
interface Outage {
  from: number;
  to: number;
}

/**
 * `npm start` and somebody who starts it again when it ends. It may end when it is told to or killed, and by itself, with a status and a reason, when
 * the disk is full. Every other end is a violation.
 */
export class Server {
  readonly #outages: Outage[] = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  readonly #waiting = new Set<(ready: Ready) => void>();
  #ready: Ready | undefined;
  #pid = 0;
  #expected: string | undefined;
  #isStopped = false;
  #hasGivenUp = new AbortController();
  starts = 0;

  constructor(
    private readonly environment: Record<string, string>,
    private readonly disk: Disk | undefined,
    private readonly report: Report,
    private readonly log: (text: string) => void,
  ) {}

  /** Aborts when it does not start any more. */
  get givenUp(): AbortSignal {
    return this.#hasGivenUp.signal;
  }

  /** Its addresses and keys, as soon as it is ready. */
  ready(): Promise<Ready> {
    if (this.#ready !== undefined) return Promise.resolve(this.#ready);
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  get isReady(): boolean {
    return this.#ready !== undefined;
  }

  /** Whether it was down at any moment from one time to another, on the clock of `performance.now`. */
  wasDown(from: number, to: number): boolean {
    return this.#outages.some((outage) => outage.from <= to && outage.to >= from);
  }

  /** Starts it, and again whenever it has ended, until `stop`. */
  async keepRunning(): Promise<void> {
    this.#isStopped = false;
    for (let failed = 0; !this.#isStopped; ) {
      failed = (await this.#runOnce()) ? 0 : failed + 1;
      if (failed === mostFailedStarts) {
        this.report.violation(`the server failed to start ${failed} times in a row: the run ends`);
        this.#hasGivenUp.abort();
        return;
      }
      // Whoever starts it reads that the disk is full, and makes room.
      while (failed > 0 && this.disk?.isFilled === true && !this.#isStopped) await sleep(200);
      if (failed > 0) await sleep(1_000);
    }
  }

  /** SIGKILL. Whatever is left of it must then end by itself. */
  async kill(victim: Victim): Promise<void> {
    const all = processesBelow(this.#pid);
    const process = all.find(({ command }) => commands[victim].test(command));
    if (process === undefined) {
      this.report.violation(`there is no ${victim} to kill among ${all.map(({ command }) => command).join(" | ")}`);
      return;
    }
    this.#begin(`SIGKILL of the ${victim}`);
    end(process.pid, "SIGKILL");
    await this.#expectAllEnded(all, `SIGKILL of the ${victim}`);
  }

  /** SIGTERM, as an operator stops it. It must end in time, with status 0. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const all = processesBelow(this.#pid);
    const launcher = all.find(({ command }) => commands.launcher.test(command));
    this.#begin("SIGTERM");
    if (launcher !== undefined) end(launcher.pid, "SIGTERM");
    await this.#expectAllEnded(all, "SIGTERM", stopMs);
  }

  /** Ends what is left of it. */
  killAll(): void {
    this.#isStopped = true;
    for (const { pid } of processesBelow(this.#pid)) end(pid, "SIGKILL");
  }

  /** @returns whether it was ready. */
  async #runOnce(): Promise<boolean> {
    this.#expected = undefined;
    const started = performance.now();
    const { process, output, exit } = run(this.environment);
    this.#pid = process.pid ?? 0;
    this.starts += 1;
    this.log(`-- start ${this.starts}\n`);
    process.stderr?.on("data", (data) => this.log(String(data)));
    let status: number | null | undefined;
    const ended = exit.then((value) => {
      status = value;
    });
    while (!/^curl /m.test(output.stdout) && status === undefined && performance.now() - started < startMs) {
      await sleep(50);
    }
    const isReady = /^curl /m.test(output.stdout);
    if (isReady) this.#finish(valuesOf(output.stdout), started);
    else if (status === undefined) {
      this.report.violation(`the server was not ready ${startMs / 1000} s after its start: ${tail(output.stderr)}`);
      this.#expected = "a start that took too long";
      for (const { pid } of processesBelow(this.#pid)) end(pid, "SIGKILL");
    }
    await ended;
    this.#begin();
    this.#judge(isReady, status, output.stderr);
    return isReady;
  }

  #judge(wasReady: boolean, status: number | null | undefined, log: string): void {
    for (const line of log.split("\n")) {
      if (/uncaught|panicked/i.test(line)) this.report.violation(`the log says: ${line.slice(0, 400)}`);
    }
    if (this.#expected !== undefined) {
      this.report.count("server", `ended after ${this.#expected}`);
      return;
    }
    const isFull = this.disk?.wasFilledWithin(afterFullMs) === true;
    if (isFull && wasReady && status === faultStatus && /the database failed|It is ended/.test(log)) {
      this.report.count("server", "ended itself: the disk was full");
      this.report.say(`the server has ended itself, the disk is full: ${tail(log, 200)}`);
      return;
    }
    if (isFull && !wasReady && status !== 0 && /[Ff]ree some space/.test(log)) {
      this.report.count("server", "did not start: the disk was full");
      return;
    }
    const when = wasReady ? "ended" : "ended before it was ready";
    this.report.violation(`the server ${when}, with status ${status}, and nobody had killed it: ${tail(log)}`);
  }

  /** An outage begins. @param reason where it is meant. */
  #begin(reason?: string): void {
    const now = performance.now();
    this.#ready = undefined;
    if (reason !== undefined) this.#expected = reason;
    const last = this.#outages.at(-1);
    if (last !== undefined && last.to === Number.POSITIVE_INFINITY) return;
    this.#outages.push({ from: reason === undefined ? now - noticeMs : now, to: Number.POSITIVE_INFINITY });
  }

  #finish(ready: Ready, started: number): void {
    const now = performance.now();
    const last = this.#outages.at(-1);
    if (last !== undefined) last.to = now;
    this.#ready = ready;
    this.report.count("server", "started");
    this.report.wait("server", now - started);
    for (const resolve of this.#waiting) resolve(ready);
    this.#waiting.clear();
  }

  async #expectAllEnded(all: readonly Process[], reason: string, milliseconds = followMs): Promise<void> {
    const hasEnded = within(
      milliseconds,
      (async () => {
        while (all.some(({ pid }) => isRunning(pid))) await sleep(100);
        return true;
      })(),
    );
    if (await hasEnded) return;
    const left = all.filter(({ pid }) => isRunning(pid));
    const names = left.map(({ command }) => command.slice(0, 80)).join(" | ");
    this.report.violation(`${milliseconds / 1000} s after ${reason} there is still: ${names}`);
    for (const { pid } of left) end(pid, "SIGKILL");
  }
}

function end(pid: number, signal: "SIGKILL" | "SIGTERM"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function valuesOf(text: string): Ready {
  const lines = text.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(lines) as unknown as Ready;
}

/** The end of a log. */
function tail(log: string, length = 600): string {
  return log.trim().slice(-length).replaceAll("\n", " / ");
}
