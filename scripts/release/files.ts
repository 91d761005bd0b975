/** Files that say the version of the software. */
export interface VersionFile {
  /** From the project's folder. */
  path: string;
  replace(text: string, version: string): string;
}

/** Lines that an entry of the changelog may have: an operator reads it in five minutes. */
const entryLines = 120;

const inJson = (text: string, version: string) => text.replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`);

export const versionFiles: VersionFile[] = [
  { path: "package.json", replace: inJson },
  { path: "packages/client/package.json", replace: inJson },
  { path: "packages/client/jsr.json", replace: inJson },
  { path: "functions/mcp/server.json", replace: inJson },
  {
    path: "package-lock.json",
    replace: (text, version) =>
      inJson(text, version).replace(
        /("packages": \{\s*"": \{\s*"name": "funding-opportunities-api",\s*"version": )"[^"]+"/,
        `$1"${version}"`,
      ),
  },
  {
    path: "packages/client/README.md",
    replace: (text, version) => text.replace(/(funding-opportunities-client-)\d+\.\d+\.\d+(\.tgz)/g, `$1${version}$2`),
  },
  {
    path: "packages/python/pyproject.toml",
    replace: (text, version) => text.replace(/^version = ".*"$/m, `version = "${version}"`),
  },
  { path: "shared/release.ts", replace: (text, version) => text.replace(/(release = )".*"/, `$1"${version}"`) },
];

/** Obstacles to the release of a version: sentences, none when there is none. */
export function findFaults(version: string, released: readonly string[], changelog: string): string[] {
  const faults = [];
  const last = released.at(-1) ?? "0.0.0";
  const next = successorsOf(last);
  if (!next.includes(version)) faults.push(`The version after ${last} is ${next.join(", ")}, not "${version}".`);
  const entry = unreleasedEntry(changelog);
  const lines = entry.split("\n").length;
  if (!/^- /m.test(entry)) faults.push('"Unreleased" of CHANGELOG.md has no change.');
  if (lines > entryLines) faults.push(`"Unreleased" of CHANGELOG.md has ${lines} lines; at most ${entryLines}.`);
  return faults;
}

/** The next major, minor and patch version. */
function successorsOf(version: string): string[] {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`];
}

/** Text of the entry "Unreleased". */
export function unreleasedEntry(changelog: string): string {
  return (changelog.match(/^## \[Unreleased\]\n([\s\S]*?)(?=^## |$(?![\s\S]))/m)?.[1] ?? "").trim();
}

/** Makes the entry "Unreleased" that of a version, behind a new one. */
export function closeEntry(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${date}`);
}
