import { printable } from "../shared/log/printable.ts";

/** Formats rows as lines in columns, the field names first. A value that is null or absent shows as "-". */
export function textTable(rows: readonly object[]): string[] {
  const [first] = rows;
  if (first === undefined) return ["(none)"];
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => textOf((row as Record<string, unknown>)[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  return lines.map((line) =>
    line
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** Text of a cell, escaped here so that the column's width counts the escapes. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return printable(value instanceof Date ? value.toISOString().slice(0, 19).replace("T", " ") : String(value));
}

/** Width in characters. Combining marks take none: they stand above or below the character before. */
function widthOf(text: string): number {
  return [...text.replaceAll(/\p{M}/gu, "")].length;
}
