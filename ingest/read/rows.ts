import { readCsvRows } from "./csv.ts";
import { readLines } from "./lines.ts";
import { readNdjsonRows } from "./ndjson.ts";
import type { ReadRows } from "./row.ts";

/** The rows of a CSV file whose first record names the columns. */
export const csvRows: ReadRows = (chunks) => readCsvRows(readLines(chunks));

/** The rows of a file with one JSON object a line. */
export const ndjsonRows: ReadRows = (chunks) => readNdjsonRows(readLines(chunks));
