import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const projectFolder = fileURLToPath(new URL("../", import.meta.url));
const releasesPath = "supabase/releases.json";
const migrationsPath = "supabase/migrations";

/** Migrations that a version brought: file names, each with the SHA-256 of its bytes. */
export interface Release {
  /** Day of the release, YYYY-MM-DD. */
  date: string;
  migrations: Record<string, string>;
}

/** Releases by version, the oldest first. */
export type Releases = Record<string, Release>;

/** @param root folder of the project. */
export async function readReleases(root = projectFolder): Promise<Releases> {
  return JSON.parse(await readFile(`${root}/${releasesPath}`, "utf8")) as Releases;
}

/** Names of all migrations that any version was released with, in their order. */
export function releasedMigrations(releases: Releases): string[] {
  return Object.values(releases)
    .flatMap(({ migrations }) => Object.keys(migrations))
    .sort();
}

/** Names of the migrations in the project, with the SHA-256 of their bytes, in their order. */
export async function hashMigrations(root = projectFolder): Promise<Record<string, string>> {
  const names = (await readdir(`${root}/${migrationsPath}`)).filter((name) => name.endsWith(".sql")).sort();
  const hashes: Record<string, string> = {};
  for (const name of names) {
    const bytes = await readFile(`${root}/${migrationsPath}/${name}`);
    hashes[name] = createHash("sha256").update(bytes).digest("hex");
  }
  return hashes;
}

/** Ways in which the project's migrations break a promise to databases that a release made: sentences, none when there is none. */
export function findReleaseFaults(releases: Releases, present: Record<string, string>): string[] {
  const released = Object.assign({}, ...Object.values(releases).map(({ migrations }) => migrations)) as Record<
    string,
    string
  >;
  const changed = Object.entries(released).flatMap(([name, hash]) => {
    if (present[name] === undefined) return [`${migrationsPath}/${name} is released, and missing: bring it back`];
    if (present[name] === hash) return [];
    return [`${migrationsPath}/${name} is released, and was changed: undo that, and make a new migration`];
  });
  const last = Object.keys(released).sort().at(-1) ?? "";
  const early = Object.keys(present)
    .filter((name) => released[name] === undefined && name < last)
    .map(
      (name) =>
        `${migrationsPath}/${name} is new, and must have a number after ${last}: a released database would run it too late`,
    );
  return [...changed, ...early];
}

/** Path of the file of releases, from the project's folder. */
export { releasesPath };
