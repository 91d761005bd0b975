import type { DatasetCounts, ImportSummary } from "../../ingest/summary.ts";
import type { ImportCommand } from "./options.ts";

/** The account of an import, for standard output. */
export function formatSummary(
  summary: ImportSummary,
  { source, isDryRun, rejectsPath }: Pick<ImportCommand, "source" | "isDryRun" | "rejectsPath">,
  hasRejects: boolean,
): string {
  const { read, repeated, rejected } = summary;
  const lines = [
    `${isDryRun ? "Dry run, nothing was written: " : ""}${[...summary.records.keys()].join(" and ") || "nothing"} from source ${source}`,
    countLine("read", read),
    ...[...summary.records].flatMap(([dataset, counts]) => {
      const shown = Object.entries(isDryRun ? { "would go in": counts.accepted } : written(counts));
      const of = summary.records.size > 1 ? `${dataset} ` : "";
      return shown.map(([name, count]) => countLine(`${of}${name}`, count));
    }),
    countLine("repeated", repeated),
    countLine("rejected", rejected),
  ];
  if (hasRejects) lines.push(`The ${namesOf(rejected, repeated)} rows are in ${rejectsPath}`);
  for (const [note, count] of summary.notes) lines.push(`Note: ${note} (${count.toLocaleString("en-US")} rows)`);
  lines.push(...summary.dateNotes);
  if (summary.unusedColumns.length > 0) lines.push(`Columns not used: ${shortList(summary.unusedColumns)}`);
  return lines.join("\n");
}

function written({ inserted, updated, unchanged, archived }: DatasetCounts) {
  return { inserted, updated, unchanged, ...(archived > 0 ? { archived } : {}) };
}

/** The first names, and how many more there are. */
function shortList(names: string[], most = 12): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

function countLine(name: string, count: number): string {
  return `  ${name.padEnd(20)} ${count.toLocaleString("en-US").padStart(11)}`;
}

function namesOf(rejected: number, repeated: number): string {
  return [rejected > 0 ? "rejected" : "", repeated > 0 ? "repeated" : ""].filter((name) => name !== "").join(" and ");
}
