import { runCommand } from "../../cli/command.ts";
import { UsageError } from "../../cli/options.ts";
import { faultOf } from "./expectations.ts";
import { memoryOf, type ProcessTree } from "./memory.ts";
import { type FuzzRequest, requestNumber } from "./request.ts";
import { givenStack, type Stack, startEmbedded } from "./stack.ts";
import { Wire } from "./wire.ts";

const help = `Sends requests that no client should send, and many that one could, over raw sockets to every function and page, and
holds each answer to what must be true of all: no 5xx, an answer in time, 4xx as a problem of the registry, headers and
bodies as the OpenAPI document has them. At the end, memory must not have grown.

usage: npm run test:fuzz -- [options]

  --requests N     how many (default 15000, about a minute; a thorough run has 100000)
  --seed N         makes the same requests again (default: a new one, which is printed)
  --only NUMBER    sends the one request of that number, and prints it and its answer
  --connections N  at a time (default 8)
  --given          the deployment that the environment names, in place of npm start: see tests/fuzz/native.sh
  --watch NAME=PID a process whose memory must not grow, with --given; may be repeated
  --log FILE       the log of the functions, in which there must be no error, with --given
  --help`;

/** An answer must be there by then. A run of the dispatcher may take its whole budget. */
const deadlineMs = 10_000;
const dispatchDeadlineMs = 40_000;
/**
 * Memory that a process may have gained since the first half of the run, in MiB: garbage not yet collected. Of a run of 100,000
 * requests, `npm start` had from 570 to 700 MiB at each eighth, and least at the end; one of 15,000 may end on a peak.
 */
const allowedGrowth = 256;
/** Failures that are printed in full. */
const mostShown = 20;

await runCommand({
  help,
  options: {
    requests: { type: "string", default: "15000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    only: { type: "string" },
    connections: { type: "string", default: "8" },
    given: { type: "boolean", default: false },
    watch: { type: "string", multiple: true, default: [] },
    log: { type: "string" },
  },
  async run({ values }) {
    const seed = countOf("seed", values.seed);
    const stack = values.given ? await givenStack(values.watch.map(treeOf), values.log) : await startEmbedded();
    try {
      if (values.only !== undefined) return await sendOne(seed, countOf("only", values.only), stack);
      return await sendAll(
        seed,
        countOf("requests", values.requests),
        countOf("connections", values.connections),
        stack,
      );
    } finally {
      await stack.close();
    }
  },
});

async function sendAll(seed: number, requests: number, connections: number, stack: Stack): Promise<number> {
  console.log(`seed ${seed}: ${requests} requests to ${stack.world.baseUrl}`);
  const wire = new Wire(stack.world.baseUrl.hostname, Number(stack.world.baseUrl.port));
  const statuses = new Map<string, number>();
  const memory: number[][] = [];
  const faults: number[] = [];
  let slowestMs = 0;
  let next = 0;
  const measure = () => memory.push(stack.processes.map(memoryOf));
  const work = async () => {
    for (let number = next++; number < requests; number = next++) {
      if (number % Math.ceil(requests / 8) === 0) measure();
      const request = requestNumber(seed, number, stack.world);
      const ending = await send(wire, request);
      const fault = await faultOf(request, ending, stack.world);
      const status = "answer" in ending ? String(ending.answer.status) : (Object.keys(ending)[0] ?? "");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      slowestMs = Math.max(slowestMs, ending.milliseconds);
      if (fault === undefined) continue;
      faults.push(number);
      if (faults.length <= mostShown) console.log(`\nNUMBER ${number}: ${fault}\n${shown(request)}`);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - started) / 1000;
  wire.close();
  measure();

  console.log(
    `\n${Math.round(requests / seconds)} requests a second, the slowest answered after ${Math.round(slowestMs)} ms`,
  );
  console.log(
    [...statuses]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
  );
  const grown = stack.processes.filter(({ name }, index) =>
    hasGrown(
      name,
      memory.map((sizes) => sizes[index] ?? 0),
    ),
  );
  const errors = stack.errors();
  for (const line of errors.slice(0, mostShown)) console.log(`LOGGED ${line.slice(0, 500)}`);
  console.log(
    `${faults.length} requests ended as none may, ${errors.length} errors in the log, ${grown.length} processes grew`,
  );
  if (faults.length > 0) console.log(`again: npm run test:fuzz -- --seed ${seed} --only ${faults[0]}`);
  return faults.length + errors.length + grown.length > 0 ? 1 : 0;
}

/** Sends one request and prints both sides. */
async function sendOne(seed: number, number: number, stack: Stack): Promise<number> {
  const wire = new Wire(stack.world.baseUrl.hostname, Number(stack.world.baseUrl.port));
  const request = requestNumber(seed, number, stack.world);
  const ending = await send(wire, request);
  wire.close();
  console.log(shown(request));
  if ("answer" in ending) {
    const { status, headers, body } = ending.answer;
    console.log([status, ...headers.map((pair) => pair.join(": ")), "", new TextDecoder().decode(body)].join("\n"));
  } else console.log(JSON.stringify(ending));
  const fault = await faultOf(request, ending, stack.world);
  console.log(fault ?? "as it should be");
  for (const line of stack.errors()) console.log(`LOGGED ${line}`);
  return fault === undefined ? 0 : 1;
}

function send(wire: Wire, request: FuzzRequest) {
  const limit = request.target.includes("dispatch") ? dispatchDeadlineMs : deadlineMs;
  return wire.send({ ...request, isLast: request.isStrange, deadlineMs: limit });
}

/** A request as a shell can send it again. */
function shown({ bytes }: FuzzRequest): string {
  const text = JSON.stringify(bytes.toString("latin1"));
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${bytes.length} bytes; --only sends it again)` : text;
}

function hasGrown(name: string, sizes: number[]): boolean {
  console.log(`${name}: ${sizes.join(", ")} MiB, at each eighth of the run`);
  const warm = Math.max(...sizes.slice(0, 4));
  const end = sizes.at(-1) ?? 0;
  return end > warm + allowedGrowth;
}

function countOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(text);
}

function treeOf(text: string): ProcessTree {
  const [name = "", pid] = text.split("=");
  return { name, pid: countOf("watch", pid ?? "") };
}
