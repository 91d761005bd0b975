import type { Random } from "../../../local/demo/random.ts";
import type { Report } from "../report.ts";
import { sleep } from "../time.ts";
import { type Line, OpenLines, open, outcomeOf, untilReceived } from "./socket.ts";

/** Things that a stranger uses. */
export interface Target {
  port: number;
  /** Port of the database. */
  databasePort(): number | undefined;
  /** A key that may read everything, of an account of its own. */
  key: string;
  random: Random;
  report: Report;
  /** All connections end with it. */
  end: AbortSignal;
}

/** Something that a stranger does: a burst of it, which ends in seconds. */
type Stranger = (target: Target) => Promise<void>;

const paths = {
  snapshot: "/functions/v1/snapshots/latest/grants.jsonl.gz",
  csv: "/functions/v1/grants-api?format=csv&opportunity_type=all",
  list: "/functions/v1/grants-api?limit=100&expand=details&opportunity_type=all",
  openapi: "/functions/v1/openapi",
};

function request(path: string, key: string, headers: readonly string[] = []): string {
  const lines = [`GET ${path} HTTP/1.1`, "Host: 127.0.0.1", `Authorization: Bearer ${key}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Connections of one burst, from addresses of their own. */
async function lines({ random, port, end }: Target, count: number, toPort = port): Promise<Line[]> {
  const opened = Array.from({ length: count }, () => open(toPort, `127.0.0.${random.integer(2, 40)}`, end));
  return (await Promise.all(opened)).filter((line) => line !== undefined);
}

/** More than the server lets in. */
const idleLines = new OpenLines(1_500);
const slowReaders = new OpenLines(30);

/** Leaves a connection open until the server closes it, and counts how it ended. */
async function leaveOpen(lines: OpenLines, line: Line, kind: string, { report, end }: Target): Promise<void> {
  const isReplaced = await lines.keep(line);
  const outcome = end.aborted
    ? "open to the end"
    : isReplaced
      ? "open until there were too many"
      : `ended with ${outcomeOf(line)}`;
  report.count(`stranger: ${kind}`, outcome);
}

/** Downloads that are cancelled in the middle: compressed or not, a file or a list, with a reset or a polite end. */
const cancelDownloads: Stranger = async (target) => {
  const { random, key, report } = target;
  for (const line of await lines(target, random.integer(2, 6))) {
    const name = random.pick(["snapshot", "csv", "csv", "list", "openapi"] as const);
    const encoding = random.chance(0.5) ? ["Accept-Encoding: gzip"] : [];
    line.socket.write(request(paths[name], key, encoding));
    await untilReceived(line, random.pick([0, 1, 200, 20_000, 300_000]), 1_000);
    report.count("stranger: cancelled download", outcomeOf(line));
    if (random.chance(0.3)) line.socket.end();
    else line.socket.resetAndDestroy();
    void sleep(500).then(() => line.socket.destroy());
  }
};

/** Connections on which nothing is sent. They stay until the server closes them, or as long as the run. */
const idle: Stranger = async (target) => {
  for (const line of await lines(target, target.random.integer(10, 40))) {
    void leaveOpen(idleLines, line, "idle connection", target);
  }
};

/** Idle connections to the database's port. */
const idleAtDatabase: Stranger = async (target) => {
  const port = target.databasePort();
  if (port === undefined) return;
  for (const line of await lines(target, 5, port)) {
    void leaveOpen(idleLines, line, "idle connection to the database", target);
  }
};

/** Half a head, and half a body, of which the rest never comes. */
const half: Stranger = async (target) => {
  const { random, key } = target;
  for (const line of await lines(target, random.integer(5, 20))) {
    const isBody = random.chance(0.5);
    line.socket.write(
      isBody
        ? `POST /functions/v1/semantic-search HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"query": "wa`
        : request(paths.list, key).slice(0, random.integer(1, 60)),
    );
    void leaveOpen(idleLines, line, `half a ${isBody ? "body" : "head"}`, target);
  }
};

/** Heads that come a byte at a time. */
const dribble: Stranger = async (target) => {
  const { random, key } = target;
  for (const line of await lines(target, random.integer(3, 8))) {
    const text = request(paths.list, key, [`X-Slow: ${"x".repeat(2_000)}`]);
    void (async () => {
      for (let sent = 0; sent < text.length && !line.socket.destroyed; sent++) {
        line.socket.write(text.slice(sent, sent + 1));
        await sleep(random.integer(200, 900), target.end);
        if (target.end.aborted) return;
      }
    })();
    void leaveOpen(idleLines, line, "a head by bytes", target);
  }
};

/** Readers of large answers that stop to read. */
const readSlowly: Stranger = async (target) => {
  const { random, key } = target;
  for (const line of await lines(target, random.integer(1, 3))) {
    line.socket.pause();
    line.socket.write(request(random.pick([paths.csv, paths.snapshot]), key));
    line.socket.write(request(paths.list, key).repeat(random.integer(0, 20)));
    void (async () => {
      while (!line.socket.destroyed && !target.end.aborted) {
        await sleep(random.integer(1_000, 5_000), target.end);
        line.socket.resume();
        await sleep(1);
        line.socket.pause();
      }
    })();
    void leaveOpen(slowReaders, line, "slow reader", target);
  }
};

/** What is no HTTP, or none that is allowed. */
const malformed: Stranger = async (target) => {
  const { random, key, report } = target;
  const bytes = () => String.fromCharCode(...Array.from({ length: 200 }, () => random.integer(0, 255)));
  const head = (...headers: string[]) =>
    `POST /functions/v1/semantic-search HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  for (const line of await lines(target, random.integer(3, 8))) {
    const text = random.pick<() => string>([
      bytes,
      () => `GET /${bytes()} HTTP/1.1\r\n\r\n`,
      () => "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
      () => `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(200_000)}\r\n\r\n`,
      () => `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      () => head("Host: x", "Content-Length: -1"),
      () => head("Host: x", "Content-Length: 5", "Content-Length: 6"),
      () => `${head("Host: x", "Transfer-Encoding: chunked")}zz\r\nno chunk\r\n0\r\n\r\n`,
      () => `${head("Host: x", "Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\nGET / HTTP/1.1`,
      () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      () => `${request("/functions/v1/grants-api?limit=1", key).repeat(20)}`,
    ]);
    line.socket.write(text(), "latin1");
    await untilReceived(line, 1, 500);
    report.count("stranger: malformed request", outcomeOf(line));
    line.socket.destroy();
  }
};

/** Bodies that are far too large, with a length or in chunks. */
const oversized: Stranger = async (target) => {
  const { random, key, report } = target;
  for (const line of await lines(target, 2)) {
    const isChunked = random.chance(0.5);
    const length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 50000000";
    line.socket.write(
      `POST /functions/v1/semantic-search HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
    );
    const part = "x".repeat(65_536);
    for (let sent = 0; sent < 100 && !line.socket.destroyed && line.received() === 0; sent++) {
      const isWritten = line.socket.write(isChunked ? `10000\r\n${part}\r\n` : part);
      if (!isWritten) await sleep(10);
    }
    await untilReceived(line, 1, 1_000);
    report.count("stranger: oversized body", outcomeOf(line));
    line.socket.destroy();
  }
};

/** The strangers, and after how many milliseconds each comes again, at least and at most. */
export const strangers: [name: string, stranger: Stranger, pauseMs: [least: number, most: number]][] = [
  ["downloads", cancelDownloads, [500, 2_000]],
  ["sockets", idle, [3_000, 15_000]],
  ["sockets", idleAtDatabase, [5_000, 20_000]],
  ["sockets", half, [3_000, 12_000]],
  ["sockets", dribble, [5_000, 15_000]],
  ["sockets", readSlowly, [4_000, 10_000]],
  ["malformed", malformed, [500, 2_000]],
  ["malformed", oversized, [2_000, 6_000]],
];
