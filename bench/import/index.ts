/**
 * Measures an import of Grants.gov's daily extract: a generated one of the live one's size, in an archive whose sizes
 * are in the trailing descriptor, beside COPY of the same rows in the same run.
 *
 * usage: npm run bench:import -- [--database-url URL] [--opportunities N] [--only native|embedded] [--json FILE]
 *
 * --database-url   a Postgres on this machine, as its superuser; without it the native stack is left out
 * --opportunities  default 8000; the live extract has 82230
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { textTable } from "../../cli/table.ts";
import type { CopyRun } from "./copy.ts";
import { type ExtractFile, extractFile } from "./extract-file.ts";
import type { CommandRun } from "./import-command.ts";
import { runEmbedded, runNative, type StackRuns } from "./stacks.ts";

/** What the project promises, on two cores with nothing else to do. */
const targets = { native: { recordsPerSecond: 2_000, megabytes: 500 }, embedded: { recordsPerSecond: 500 } };

const { values } = parseArgs({
  options: {
    "database-url": { type: "string" },
    opportunities: { type: "string", default: "8000" },
    only: { type: "string" },
    json: { type: "string" },
  },
});

const extract = await extractFile(Number(values.opportunities));
console.log(
  `${thousands(extract.opportunities)} opportunities, ${megabytes(extract.bytes)} MB of XML, ${megabytes(extract.packedBytes)} MB packed\n`,
);
const rows: object[] = [];
const serverUrl = values["database-url"];
if (values.only !== "embedded" && serverUrl !== undefined) {
  rows.push(...rowsOf("native", extract, await runNative(serverUrl, extract.path)));
}
if (values.only !== "native") rows.push(...rowsOf("embedded", extract, await runEmbedded(extract.path)));
console.log(textTable(rows));
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ extract, rows }, undefined, 2)}\n`);

function rowsOf(stack: "native" | "embedded", { opportunities }: ExtractFile, { first, again, copy }: StackRuns) {
  const row = (what: string, run: CopyRun & Partial<CommandRun>, target?: string) => ({
    stack,
    what,
    seconds: run.seconds.toFixed(1),
    "records/s": Math.round(opportunities / run.seconds),
    "times plain COPY": ratio(run.seconds, copy.plain.seconds),
    "times COPY into grants": ratio(run.seconds, copy.intoGrants.seconds),
    "CPU s": run.cpuSeconds.toFixed(1),
    "CPU, times COPY into grants": ratio(run.cpuSeconds, copy.intoGrants.cpuSeconds),
    "peak MB": run.peakMegabytes,
    "MB halfway": run.halfwayMegabytes,
    target,
  });
  return [
    row("plain COPY", copy.plain),
    row("COPY into grants", copy.intoGrants),
    row("import", first, targetOf(stack)),
    row("import again, unchanged", again),
  ];
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

function targetOf(stack: keyof typeof targets): string {
  const target = targets[stack];
  const memory = "megabytes" in target ? `, under ${target.megabytes} MB` : "";
  return `${thousands(target.recordsPerSecond)} records/s${memory}`;
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
