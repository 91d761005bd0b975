import { isBlank, lineOf } from "../fields/value.ts";

/**
 * What a source says of a record and no field is for, as a paragraph that people read and searches find: a line each,
 * `Recipient: Example, Inc.`. A list gives its first value that is not blank; what has none is left out.
 */
export function facts(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([label, value]) => [label, [value].flat().find((one) => !isBlank(one))] as const)
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label}: ${lineOf(value)}`)
    .join("\n");
}
