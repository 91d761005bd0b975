import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { realFile } from "../unit/ingest/source-records.ts";

interface Texts {
  title: string;
  description: string;
  categories: string[];
}

/** Where a publisher's file has a title, a long text and words separated by `|` or `,`. */
const files: [file: string, title: string, description: string, categories: string][] = [
  ["grants/grants-gov-opportunities.csv", "Title", "Description", "Assistance Listings"],
  ["awards/nsf-awards-fy2026.csv", "title_clean", "abstract", "program_name"],
];

/** The texts of real records as they were published, file by file; `path` is undefined where a file is not there. */
export const realTexts = files.map(([file, title, description, categories]) => {
  const path = realFile(file);
  return {
    name: file,
    path,
    async texts(): Promise<Texts[]> {
      if (path === undefined) throw new Error(`${file} is not there`);
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
  };
});
