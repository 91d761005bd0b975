import { readFileSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { parse } from "csv-parse/sync";
import { writeCsv } from "../../shared/csv/write.ts";

/** A page of records as a CSV answer is written. */
export async function csvFile(columns: readonly string[], page: readonly object[]): Promise<string> {
  async function* pages() {
    yield page;
  }
  let file = "";
  for await (const chunk of writeCsv(columns, pages())) file += chunk;
  return file;
}

/** Any of the three line breaks outside quotes ends a record, as in most readers. */
const strict = { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: false, relax_quotes: false };

/** The cells of a CSV file as csv-parse reads them, without any leniency: the header line first. */
export function csvParseCells(file: string): string[][] {
  return parse(file, strict) as string[][];
}

/** The cells of a CSV file as Postgres' `COPY` reads them; nothing is null. NUL is an error. */
export async function postgresCells(database: PGlite, file: string): Promise<string[][]> {
  const [names = []] = csvParseCells(file);
  const columns = names.map((name) => `"${name}"`).join(", ");
  await database.exec(
    `create temporary table copied (line serial, ${names.map((name) => `"${name}" text`).join(", ")})`,
  );
  try {
    await database.query(
      `copy copied (${columns}) from '/dev/blob' with (format csv, header match, force_not_null *)`,
      [],
      { blob: new Blob([file]) },
    );
    // As one JSON text: PGlite drops a byte order mark from the start of a value.
    const { rows } = await database.query<{ cells: string[][] | null }>(
      `select json_agg(json_build_array(${columns}) order by line) as cells from copied`,
    );
    return [names, ...(rows[0]?.cells ?? [])];
  } finally {
    await database.exec("drop table copied");
  }
}

const documentation = readFileSync(new URL("../../docs/csv.md", import.meta.url), "utf8");
/** The expression that docs/csv.md gives readers: text that it matches had no such apostrophe. */
const guarded = new RegExp(`^${/re\.compile\(r"(.*)"\)/.exec(documentation)?.[1]}`);

/** The text that a cell, or an item of a list, was made of. */
export function textOf(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

/** The list that a cell was made of. */
export function itemsOf(cell: string): string[] {
  if (cell === "") return [];
  const [items = []] = parse(cell, { delimiter: "; ", record_delimiter: "\r\n" }) as string[][];
  return items.map(textOf);
}
