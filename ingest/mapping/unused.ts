import { fieldOfColumn } from "./field-name.ts";
import type { Mapping } from "./mapping.ts";

/**
 * The columns that no field takes, in the order of the file: told to the caller, because a column
 * that was forgotten looks just like one that was left out on purpose.
 */
export function unusedColumns(mapping: Mapping, sample: readonly Record<string, unknown>[]): string[] {
  const mapped = [...mapping.columns.values()].flat();
  const columns = new Set(sample.flatMap((row) => Object.keys(row)));
  return [...columns].filter((column) => {
    if (mapped.some((path) => path === column || path.startsWith(`${column}.`))) return false;
    const byName = fieldOfColumn(mapping.dataset, column);
    return byName === undefined || mapping.columns.has(byName.field);
  });
}
