import type { ImportSummary } from "../../ingest/summary.ts";
import type { ImportCommand } from "./options.ts";

/** The account of an import, for standard output. */
export function formatSummary(
  summary: ImportSummary,
  { dataset, source, isDryRun, rejectsPath }: ImportCommand,
  hasRejects: boolean,
): string {
  const { read, inserted, updated, unchanged, accepted, repeated, rejected } = summary;
  const counts = isDryRun
    ? { read, "would go in": accepted, repeated, rejected }
    : { read, inserted, updated, unchanged, repeated, rejected };
  const lines = [
    `${isDryRun ? "Dry run, nothing was written: " : ""}${dataset} from source ${source}`,
    ...Object.entries(counts).map(([name, count]) => countLine(name, count)),
  ];
  if (hasRejects) lines.push(`The ${namesOf(rejected, repeated)} rows are in ${rejectsPath}`);
  for (const [note, count] of summary.notes) lines.push(`Note: ${note} (${count.toLocaleString("en-US")} rows)`);
  if (summary.unusedColumns.length > 0) lines.push(`Columns not used: ${shortList(summary.unusedColumns)}`);
  return lines.join("\n");
}

/** The first names, and how many more there are. */
function shortList(names: string[], most = 12): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

function countLine(name: string, count: number): string {
  return `  ${name.padEnd(11)} ${count.toLocaleString("en-US").padStart(11)}`;
}

function namesOf(rejected: number, repeated: number): string {
  return [rejected > 0 ? "rejected" : "", repeated > 0 ? "repeated" : ""].filter((name) => name !== "").join(" and ");
}
