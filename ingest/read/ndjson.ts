import { InputError } from "../errors.ts";
import { isNestedTooDeep, tooDeepMessage } from "./bounds.ts";
import { type Line, readLines } from "./lines.ts";
import { isBroken, type ReadRows, type Row } from "./row.ts";

/**
 * Rows of a file with one JSON object a line. (`JsonRecordsReader` reads JSON of other shapes, too.) Blank lines are skipped. A line with anything else is a broken row.
 *
 * @throws {InputError} when the first line shows that the file is of another kind; after the last, when the file ends
 *   in the middle of it.
 */
export const ndjsonRows: ReadRows = async function* (chunks) {
  let isFirst = true;
  for await (const line of readLines(chunks)) {
    const text = line.text.trim();
    if (text === "") continue;
    if (isFirst) refuseOtherKinds(text);
    isFirst = false;
    const row = toRow(line, text);
    if (line.isTerminated) yield row;
    else {
      yield { ...row, unterminated: "whole" };
      if (isBroken(row)) throw new InputError(`is cut short: it ends in the middle of line ${line.number}`);
    }
  }
};

function toRow({ number, isTruncated }: Line, text: string): Row {
  if (isTruncated) return { line: number, reason: "the line is longer than 16 MB", text };
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    return { line: number, reason: `not JSON: ${describeFault(error as Error)}`, text };
  }
  if (isNestedTooDeep(values)) return { line: number, reason: tooDeepMessage, text };
  return isObject(values) ? { line: number, values } : { line: number, reason: "not a JSON object", text };
}

/** Message of the parser without its line, which is always 1. */
function describeFault({ message }: Error): string {
  return message.replace(/ \(line 1 column (\d+)\)/, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseOtherKinds(text: string): void {
  if (!text.startsWith("{")) throw new InputError("does not begin with a JSON object; perhaps it is a CSV file");
}
