import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { realFile } from "../unit/ingest/source-records.ts";

interface Texts {
  title: string;
  description: string;
  categories: string[];
}

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/sources/${name}`, import.meta.url));

/** CSV files with their columns of a title, a long text and words separated by `|` or `,`. */
const files: [name: string, path: string | undefined, title: string, description: string, categories: string][] = [
  ["opportunities.csv", fixture("opportunities.csv"), "Title", "Description", "Assistance Listings"],
  ["nsf-awards-table.csv", fixture("nsf-awards-table.csv"), "title_clean", "abstract", "program_name"],
  ...(
    [
      ["grants/grants-gov-opportunities.csv", "Title", "Description", "Assistance Listings"],
      ["awards/nsf-awards-fy2026.csv", "title_clean", "abstract", "program_name"],
    ] as const
  ).map(
    ([file, ...columns]) => [file, realFile(file), ...columns] as [string, string | undefined, string, string, string],
  ),
];

/** Texts as publishers write them, file by file: our fixtures, and real records where they are there (`path` is defined). */
export const publishedTexts = files.map(([name, path, title, description, categories]) => ({
  name,
  path,
  async texts(): Promise<Texts[]> {
    if (path === undefined) throw new Error(`${name} is not there`);
    const rows = parse(await readFile(path), { columns: true, bom: true, relax_quotes: true }) as Record<
      string,
      string
    >[];
    return rows.map((row) => ({
      title: row[title] ?? "",
      description: row[description] ?? "",
      categories: (row[categories] ?? "").split(/[|,]/).filter((item) => item !== ""),
    }));
  },
}));
