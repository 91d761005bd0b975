/**
 * Rows as text in columns, the field names on top.
 *
 * @returns one line a row; nothing in a row shows as "-".
 */
export function textTable(rows: readonly object[]): string {
  const [first] = rows;
  if (first === undefined) return "(none)";
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => textOf((row as Record<string, unknown>)[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return value instanceof Date ? value.toISOString().slice(0, 19).replace("T", " ") : String(value);
}
