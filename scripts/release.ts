/**
 * Makes a release: the version in every file that says it, the changelog's entry, the migrations in supabase/releases.json, what the upgrade tests
 * need of it, one commit and one annotated tag. CONTRIBUTING.md says when one is made. It publishes nothing: pushing the tag does.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fingerprintCode } from "../bench/speed/page/fingerprint.ts";
import { readPublished, writePublished } from "../bench/speed/page/publish.ts";
import {
  findReleaseFaults,
  hashMigrations,
  readReleases,
  releasedMigrations,
  releasesPath,
} from "../database/releases.ts";
import { errorLines, print, printError } from "../local/print.ts";
import { findFigureFaults } from "./release/figures.ts";
import { closeEntry, findFaults, versionFiles } from "./release/files.ts";

const usage = `usage: npm run release -- VERSION [--dry-run]
       npm run release -- --check

Releases VERSION, such as 1.3.0: writes it into every file that says the version, closes "Unreleased" of CHANGELOG.md, writes the functions into their
migration, runs the checks, the tests and an upgrade of each supported release, and makes a commit and the tag vVERSION. The tree must be clean.

  --figures-of-last-release
             also where docs/figures.json is of other code: docs/performance.md says of which version its figures are
  --dry-run  does all that, says what the commit would change, and leaves everything as it was
  --check    only: whether released migrations are as they were released, and new ones come after them`;

const root = fileURLToPath(new URL("../", import.meta.url));
const docs = `${root}docs`;

/** Checks of a release, each with its command. What .ci/run has besides must have passed at this commit. */
const checks = [
  ["run", "--silent", "check"],
  ["test", "--silent"],
  ["run", "--silent", "test:upgrades", "--", "embedded"],
];

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
}

/** Runs a command with its output. @throws when it fails. */
function run(command: string, words: string[]): void {
  print(`-- ${[command, ...words].join(" ")}`);
  const { status } = spawnSync(command, words, {
    cwd: root,
    stdio: "inherit",
    // The contract suite, which the upgrade's test would run on the result, is part of npm test.
    env: { ...process.env, SKIP_CONTRACT: "1" },
  });
  if (status !== 0) throw new Error(`${[command, ...words].join(" ")} failed`);
}

const read = (path: string) => readFile(`${root}${path}`, "utf8");
const write = (path: string, text: string) => writeFile(`${root}${path}`, text);

/** Says that the published figures are of a release. @returns the files. */
async function releaseFigures(version: string): Promise<string[]> {
  const { figures, history } = await readPublished(docs);
  const written = await writePublished(docs, { figures: { ...figures, version, isReleased: true }, history });
  return written.map((path) => `docs/${path}`);
}

/** Writes all files of a release. @returns their paths. */
async function writeFiles(version: string, date: string, { isMeasured }: { isMeasured: boolean }): Promise<string[]> {
  const releases = await readReleases();
  const paths = isMeasured ? await releaseFigures(version) : [];
  for (const { path, replace } of versionFiles) {
    await write(path, replace(await read(path), version));
    paths.push(path);
  }
  await write("CHANGELOG.md", closeEntry(await read("CHANGELOG.md"), version, date));
  // The functions, which are released as they are now.
  run("npm", ["run", "--silent", "schema", "--", "--whole"]);
  const before = new Set(releasedMigrations(releases));
  const migrations = Object.fromEntries(Object.entries(await hashMigrations()).filter(([name]) => !before.has(name)));
  await write(releasesPath, `${JSON.stringify({ ...releases, [version]: { date, migrations } }, null, 2)}\n`);
  run("node", ["local/deno.mjs", "tests/upgrades/make.ts"]);
  print(`${version} brings ${Object.keys(migrations).length} migrations`);
  return [...paths, "CHANGELOG.md", releasesPath, "supabase/migrations", `tests/upgrades/${version}`];
}

interface ReleaseOptions {
  isDryRun: boolean;
  /** Whether the published figures must be of the released code. */
  isMeasured: boolean;
}

/** @returns why the version cannot be released: sentences, none when it was. */
async function release(version: string, { isDryRun, isMeasured }: ReleaseOptions): Promise<string[]> {
  const releases = await readReleases();
  const changelog = await read("CHANGELOG.md");
  const { figures } = await readPublished(docs);
  const faults = [
    ...findFaults(version, Object.keys(releases), changelog),
    ...(isMeasured ? findFigureFaults(figures, await fingerprintCode(root), changelog) : []),
    ...findReleaseFaults(releases, await hashMigrations()),
    ...(git("status", "--porcelain") === "" ? [] : ["The tree has changes that are not committed."]),
    ...(git("tag", "--list", `v${version}`) === "" ? [] : [`The tag v${version} exists.`]),
    ...(existsSync(`${root}tests/upgrades/${version}`) ? [`tests/upgrades/${version} exists.`] : []),
  ];
  if (faults.length > 0) return faults;
  let isMade = false;
  try {
    const paths = await writeFiles(version, new Date().toISOString().slice(0, 10), { isMeasured });
    for (const words of checks) run("npm", words);
    git("add", "--", ...paths);
    if (isDryRun) {
      print(git("diff", "--cached", "--stat").split("\n"));
      print(`A dry run: ${version} could be released. Nothing was changed.`);
      return [];
    }
    git("commit", "--quiet", "--message", `release: ${version}`);
    git(
      "tag",
      "--annotate",
      `v${version}`,
      "--message",
      `${version}\n\n${entryOf(await read("CHANGELOG.md"), version)}`,
    );
    isMade = true;
    print(`${version} is released here, as v${version}. Publish it by: git push --follow-tags`);
    return [];
  } finally {
    if (!isMade) {
      git("reset", "--quiet", "--hard");
      git("clean", "--quiet", "--force", "-d", `tests/upgrades/${version}`);
    }
  }
}

function entryOf(changelog: string, version: string): string {
  return (changelog.split(/^## /m).find((entry) => entry.startsWith(`[${version}]`)) ?? "").trim();
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean", default: false },
      "figures-of-last-release": { type: "boolean", default: false },
      check: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.check) {
    const faults = findReleaseFaults(await readReleases(), await hashMigrations());
    printError(faults);
    return faults.length > 0 ? 1 : 0;
  }
  const [version, ...more] = positionals;
  if (values.help || version === undefined || more.length > 0) {
    (values.help ? print : printError)(usage.split("\n"));
    return values.help ? 0 : 2;
  }
  const faults = await release(version, {
    isDryRun: values["dry-run"],
    isMeasured: !values["figures-of-last-release"],
  });
  printError(faults);
  return faults.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  printError(errorLines(error));
  process.exitCode = 1;
}
