import { ensureEmbeddedFolder } from "../embedded/folder.ts";
import { withEmbeddedServer } from "../embedded/server.ts";
import { bearer } from "../http/api.ts";
import { get } from "../http/requests.ts";
import { timeInTurns } from "../in-turns.ts";
import { makeSpeedRow } from "../row.ts";
import type { Effort, Findings, Report } from "../speed-case.ts";

/** What people type, by how much is found: everything letter by letter, little, and what has a typo. */
const typed: Readonly<Record<string, readonly string[]>> = {
  "letter by letter": ["r", "ru", "rur", "rural", "rural d", "rural dev", "rural development"],
  "one letter": ["a", "c", "d", "e", "f", "h", "p", "s", "t", "w"],
  words: ["usda rur", "health com", "10.5", "54151", "small busi", "water inf", "department of"],
  typos: ["helth", "agricl", "comunity", "educaton", "departmnt of agr", "watre"],
};

/** Measures `GET /suggest` of the stack of `npm start`, through HTTP, one request at a time. */
export async function measureSuggest(rows: number, effort: Effort, report: Report): Promise<Findings> {
  const folder = await ensureEmbeddedFolder(rows, report);
  report("suggest: starting");
  return withEmbeddedServer(folder, async ({ baseUrl, key }) => {
    const headers = bearer(key);
    const sides = Object.entries(typed).map(([name, texts]) => ({
      name,
      run: (index: number) =>
        get(`${baseUrl}/suggest?limit=20&q=${encodeURIComponent(texts[index % texts.length] ?? "")}`, headers),
    }));
    const indexes = Array.from({ length: Math.max(40, Math.ceil(effort.sliceMs / 10)) }, (_, index) => index);
    const timings = await timeInTurns(sides, indexes, effort.rounds);
    return { rows: [...timings].map(([name, timing]) => makeSpeedRow("suggest", name, rows, timing, null)) };
  });
}
