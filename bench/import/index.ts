import type { CopyRun } from "./copy.ts";
import { type ExtractFile, ensureExtractFile } from "./extract-file.ts";
import type { CommandRun } from "./import-command.ts";
import { runEmbedded, runNative, type StackRuns } from "./stacks.ts";

/** Targets of the project, on two idle cores. */
const targets = { native: { recordsPerSecond: 2_000, megabytes: 500 }, embedded: { recordsPerSecond: 500 } };

export interface ImportMeasures {
  extract: ExtractFile;
  rows: object[];
}

/**
 * Measures an import of Grants.gov's daily extract: a generated one of the live one's size, in an archive whose sizes
 * are in the trailing descriptor, beside COPY of the same rows in the same run.
 *
 * @param serverUrl a Postgres on this machine, as its superuser; without it the native stack is skipped.
 * @param only skips the other stack.
 */
export async function measureImport(
  opportunities: number,
  { serverUrl, only }: { serverUrl?: string | undefined; only?: "native" | "embedded" | undefined },
): Promise<ImportMeasures> {
  const extract = await ensureExtractFile(opportunities);
  const rows: object[] = [];
  if (only !== "embedded" && serverUrl !== undefined) {
    rows.push(...toRows("native", extract, await runNative(serverUrl, extract.path)));
  }
  if (only !== "native") rows.push(...toRows("embedded", extract, await runEmbedded(extract.path)));
  return { extract, rows };
}

function toRows(stack: "native" | "embedded", { opportunities }: ExtractFile, { first, again, copy }: StackRuns) {
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
    row("import", first, formatTarget(stack)),
    row("import again, unchanged", again),
  ];
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

function formatTarget(stack: keyof typeof targets): string {
  const target = targets[stack];
  const memory = "megabytes" in target ? `, under ${target.megabytes} MB` : "";
  return `${thousands(target.recordsPerSecond)} records/s${memory}`;
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
