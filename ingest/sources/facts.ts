import { isBlank, toLine } from "../fields/value.ts";

/**
 * Paragraph of facts for which records have no field, so that people read them and searches find them. Each fact is a
 * line, `Recipient: Example, Inc.`. Of a list, the first value that is not blank is used. Blank facts are left out.
 */
export function facts(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([label, value]) => [label, [value].flat().find((one) => !isBlank(one))] as const)
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label}: ${toLine(value)}`)
    .join("\n");
}
