/**
 * Writes supabase/releases.json: the version in package.json is released, with every migration that no version before it had. From
 * then on those files stay as they are, byte for byte, and `npm run check` holds them to it. docs/database.md has the steps of a
 * release.
 *
 * usage: node local/deno.mjs scripts/release.ts [--check]
 *
 * With --check it writes nothing, and fails when a released migration was changed or is missing, or when a new one comes too early.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  digestMigrations,
  findReleaseFaults,
  type Releases,
  readReleases,
  releasedMigrations,
  releasesPath,
} from "../database/releases.ts";
import { print, printError } from "../local/print.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Obstacle to the release of a version; undefined when there is none. */
async function findObstacle(version: string, releases: Releases): Promise<string | undefined> {
  if (releases[version] !== undefined) return `${version} is released already: set the next version in package.json.`;
  const changelog = await readFile(`${root}/CHANGELOG.md`, "utf8");
  if (!changelog.includes(`\n## [${version}] - `)) return `CHANGELOG.md has no entry "## [${version}] - YYYY-MM-DD".`;
  return undefined;
}

async function release(): Promise<number> {
  const releases = await readReleases();
  const present = await digestMigrations();
  const faults = findReleaseFaults(releases, present);
  if (faults.length > 0) {
    printError(faults);
    return 1;
  }
  if (process.argv.includes("--check")) return 0;
  const { version } = JSON.parse(await readFile(`${root}/package.json`, "utf8")) as { version: string };
  const obstacle = await findObstacle(version, releases);
  if (obstacle !== undefined) {
    printError(obstacle);
    return 1;
  }
  const before = new Set(releasedMigrations(releases));
  const migrations = Object.fromEntries(Object.entries(present).filter(([name]) => !before.has(name)));
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(
    `${root}/${releasesPath}`,
    `${JSON.stringify({ ...releases, [version]: { date, migrations } }, null, 2)}\n`,
  );
  print(`${version} is released with ${Object.keys(migrations).length} new migrations`);
  return 0;
}

process.exitCode = await release();
