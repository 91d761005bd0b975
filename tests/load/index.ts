import { runCommand } from "../../cli/command.ts";
import { UsageError } from "../../cli/options.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { compareWithPostgRest } from "./beside-postgrest.ts";
import { compareWithVisitors } from "./beside-visitors.ts";
import { type LoadReport, runPhases } from "./phases.ts";
import { startEmbedded, startNative } from "./stacks.ts";

const help = `Puts mixed traffic on a stack: what it can do, for a time; twice as much, for as long; then calm. Every answer is
held against the right one, usage and quotas against the answers. Fails for what is wrong; speeds are printed.

usage: npm run test:load -- [--stack embedded|native|both] [--seconds N] [--json] [--beside-postgrest]
       npm run test:load -- --stack embedded --beside-visitors

  --stack             default both; native needs tests/native/install.sh
  --seconds           of each of the two phases (default 120)
  --json              prints the report as JSON
  --beside-postgrest  lists and single records on the native stack and on bare PostgREST, at saturation and at twice that
  --beside-visitors   only: a key's requests alone, and beside 64 visitors of the catalogue`;

await runCommand({
  help,
  options: {
    stack: { type: "string", default: "embedded" },
    seconds: { type: "string", default: "120" },
    json: { type: "boolean", default: false },
    "beside-postgrest": { type: "boolean", default: false },
    "beside-visitors": { type: "boolean", default: false },
  },
  async run({ values }) {
    const seconds = Number(values.seconds);
    if (!(seconds >= 2 && seconds <= 600)) throw new UsageError("--seconds takes 2 to 600.");
    if (values.stack !== "embedded" && values.stack !== "native")
      throw new UsageError("--stack takes embedded, native or both.");
    await waitOutMidnight(seconds * 3 + 60);
    const stack = await (values.stack === "native" ? startNative() : startEmbedded());
    try {
      const connection = await connectPostgres(stack.databaseUrl);
      try {
        if (values["beside-visitors"]) {
          await compareWithVisitors(stack, connection, 5);
          return 0;
        }
        const report = await runPhases(stack, connection, seconds);
        if (values.json) console.log(JSON.stringify(report, null, 2));
        else print(report);
        if (values["beside-postgrest"] && stack.name === "native") {
          await compareWithPostgRest(stack, connection, report.connections, seconds / 4);
        }
        return report.faults.length === 0 ? 0 : 1;
      } finally {
        await connection.close();
      }
    } finally {
      await stack.stop();
    }
  },
});

/** Quotas begin anew at midnight UTC, and a run across it could not be held against one. */
async function waitOutMidnight(seconds: number): Promise<void> {
  const left = 86_400 - ((Date.now() / 1000) % 86_400);
  if (left > seconds) return;
  console.error(`waiting ${Math.ceil(left)} s for midnight UTC, when quotas begin anew`);
  await new Promise((resolve) => setTimeout(resolve, left * 1000 + 1_000));
}

function print(report: LoadReport): void {
  const { stack, seconds, connections, phases, recovered_after_seconds: recovered, memory } = report;
  console.log(`-- ${stack}: ${seconds} s a phase, saturated by ${connections} connections`);
  console.log("| phase | answers/s | p50 ms | p95 | p99 | 503/s | p95 of 503 |");
  console.log("|---|---|---|---|---|---|---|");
  for (const each of phases) {
    const { phase, answered_per_second, p50_ms, p95_ms, p99_ms, refused_per_second, refused_p95_ms } = each;
    const figures = [answered_per_second, p50_ms, p95_ms, p99_ms, refused_per_second, refused_p95_ms];
    console.log(`| ${[phase, ...figures.map((value) => value.toFixed(value < 10 ? 1 : 0))].join(" | ")} |`);
  }
  console.log(recovered === undefined ? "latency was not as before again" : `latency as before after ${recovered} s`);
  for (const { served, refused } of report.quotas) console.log(`quota: ${served} served, ${refused} refused`);
  for (const [name, begun] of Object.entries(memory.begun)) {
    console.log(`memory of ${name}: ${begun} MiB, then ${memory.ended[name]}, at most ${memory.most[name]}`);
  }
  for (const [fault, count] of report.faults) console.log(`WRONG ${count} times: ${fault}`);
}
