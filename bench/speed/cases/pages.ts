import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildDashboard } from "../../../local/dashboard/build.mjs";
import { round } from "../../statistics.ts";
import type { Effort, Findings, Report } from "../speed-case.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Adds up what each page of the dashboard that has a file loads at first: the file, and the scripts and styles that it names, as compressed
 * as they are served. Without typefaces, data, and what a signed-in page imports by itself, which `npm run bench:first-load` counts in Chromium.
 */
export async function measurePages(_rows: number, _effort: Effort, report: Report): Promise<Findings> {
  report("pages: building the dashboard");
  const problem = await buildDashboard(root);
  if (problem !== undefined) throw new Error(problem);
  const sizes = await measurePageFiles(join(root, "dashboard/dist"));
  const lines = sizes.map(({ page, bytes }) => ({ page, KB: round(bytes / 1000, 1) }));
  return {
    rows: [],
    figures: lines.map(({ page, KB }) => ({ case: "pages", side: page, value: KB })),
    tables: [{ title: "the largest of the dashboard's pages, brotli", lines: lines.slice(0, 5) }],
  };
}

/** Sizes of all pages in a build, the largest first. */
export async function measurePageFiles(folder: string): Promise<{ page: string; bytes: number }[]> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith(".html"))
      .map(async (page) => {
        const loaded = [...new Set([page, ...namedFiles(await readFile(join(folder, page), "utf8"))])];
        const bytes = await Promise.all(loaded.map((file) => servedBytes(join(folder, file))));
        return { page, bytes: bytes.reduce((sum, one) => sum + one, 0) };
      }),
  );
  return sizes.sort((one, other) => other.bytes - one.bytes);
}

/** Scripts, styles and module preloads of a page. */
function namedFiles(html: string): string[] {
  const tags = html.match(/<script [^>]*src="[^"]+"|<link rel="(?:stylesheet|modulepreload)"[^>]*>/g) ?? [];
  return tags.flatMap((tag) => /(?:src|href)="\/([^"]+)"/.exec(tag)?.[1] ?? []);
}

async function servedBytes(path: string): Promise<number> {
  const { size } = await stat(existsSync(`${path}.br`) ? `${path}.br` : path);
  return size;
}
