import { InputError } from "../errors.ts";
import { markUnterminated } from "./final-line.ts";
import type { Line } from "./lines.ts";
import { isBroken, type Row } from "./row.ts";

/**
 * One JSON object a line. Blank lines are passed over; any other line is a broken row.
 *
 * @throws {InputError} when the first line shows that the file is of another kind; after the last, when the file ends
 *   in the middle of it.
 */
export async function* readNdjsonRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  let isFirst = true;
  for await (const line of lines) {
    const text = line.text.trim();
    if (text === "") continue;
    if (isFirst) refuseOtherKinds(text);
    isFirst = false;
    const row = rowOf(line, text);
    if (line.isTerminated) yield row;
    else {
      yield markUnterminated(row, false);
      if (isBroken(row)) throw new InputError(`is cut short: it ends in the middle of line ${line.number}`);
    }
  }
}

function rowOf({ number, isCut }: Line, text: string): Row {
  if (isCut) return { line: number, reason: "the line is longer than 16 MB", text };
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    return { line: number, reason: `not JSON: ${messageOf(error as Error)}`, text };
  }
  return isObject(values) ? { line: number, values } : { line: number, reason: "not a JSON object", text };
}

/** The fault, without the line of the text that was parsed: that is always 1. */
function messageOf({ message }: Error): string {
  return message.replace(/ \(line 1 column (\d+)\)/, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseOtherKinds(text: string): void {
  if (text.startsWith("["))
    throw new InputError("is a JSON array; one JSON object a line is expected (jq -c '.[]' makes it so)");
  if (text === "{")
    throw new InputError(
      "spreads an object over several lines; one JSON object a line is expected (jq -c . makes it so)",
    );
  if (!text.startsWith("{")) throw new InputError("does not begin with a JSON object; perhaps it is a CSV file");
}
