import { describeNotes } from "../../ingest/notes.ts";
import type { DatasetCounts, ImportSummary } from "../../ingest/summary.ts";
import { formatCount } from "../progress.ts";
import type { ImportCommand } from "./options.ts";

/** Formats the summary of an import, in lines for standard output. */
export function formatSummary(
  summary: ImportSummary,
  {
    source,
    isDryRun,
    rejectsPath,
    notesPath,
  }: Pick<ImportCommand, "source" | "isDryRun" | "rejectsPath" | "notesPath">,
  hasRejects: boolean,
): string[] {
  const { read, repeated, rejected } = summary;
  const lines = [
    `${isDryRun ? "Dry run, nothing was written: " : ""}${[...summary.records.keys()].join(" and ") || "nothing"} from source ${source}`,
    formatLine("read", read),
    ...[...summary.records].flatMap(([dataset, counts]) => {
      const shown = Object.entries(isDryRun ? { "would be imported": counts.accepted } : written(counts));
      const of = summary.records.size > 1 ? `${dataset} ` : "";
      return shown.map(([name, count]) => formatLine(`${of}${name}`, count));
    }),
    formatLine("repeated", repeated),
    formatLine("rejected", rejected),
  ];
  if (hasRejects) lines.push(`The ${rejectKinds(rejected, repeated)} rows are in ${rejectsPath}`);
  lines.push(...summary.shapeNotes);
  const notes = describeNotes(summary.notes);
  lines.push(...notes);
  if (notes.length > 0) lines.push(`Each note is in ${notesPath}, with its line and value`);
  lines.push(...summary.dateNotes);
  if (summary.missingColumns.length > 0)
    lines.push(
      `Warning: the file has no ${listFirst(summary.missingColumns)}. What only these columns fill is empty in its records`,
    );
  if (summary.unusedColumns.length > 0) lines.push(`Columns not used: ${listFirst(summary.unusedColumns)}`);
  return lines;
}

function written({ inserted, updated, unchanged, archived }: DatasetCounts) {
  return { inserted, updated, unchanged, ...(archived > 0 ? { archived } : {}) };
}

/** Lists the first names, and the number of those left out. */
function listFirst(names: string[], most = 12): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

function formatLine(name: string, count: number): string {
  return `  ${name.padEnd(20)} ${formatCount(count).padStart(11)}`;
}

function rejectKinds(rejected: number, repeated: number): string {
  return [rejected > 0 ? "rejected" : "", repeated > 0 ? "repeated" : ""].filter((name) => name !== "").join(" and ");
}
