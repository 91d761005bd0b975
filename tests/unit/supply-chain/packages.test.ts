import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkLockfile, type LockedPackage, type Manifest } from "../../../scripts/audit/lockfile.ts";
import { checkFolder, judgeReport, lockedFolders } from "../../../scripts/audit.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8"));
const project = read("package.json") as Record<
  "dependencies" | "devDependencies" | "allowScripts",
  Record<string, string>
>;
test.each(lockedFolders)("%spackage-lock.json has no fault", (folder) => {
  const { packages, faults } = checkFolder(folder);
  expect(faults).toEqual([]);
  expect(packages).toBeGreaterThan(5);
});

describe("a lockfile", () => {
  const good = { version: "1.2.3", integrity: `sha512-${"A".repeat(86)}==` };
  const malicious = {
    as_of: "2026-01-01",
    incidents: [{ source: "S", versions: { b: ["6.6.6"], "@s/c": ["0.0.1"] } }],
  };
  const manifest = { dependencies: { a: "1.2.3" }, allowScripts: { deno: false } };
  const faultsOf = (packages: Record<string, LockedPackage>, changes: Manifest = {}) =>
    checkLockfile({ packages: { "": {}, "node_modules/a": good, ...packages } }, { ...manifest, ...changes }, malicious)
      .faults;

  test("without a fault has none", () => {
    expect(faultsOf({ "node_modules/b": good, "node_modules/deno": { ...good, hasInstallScript: true } })).toEqual([]);
  });

  test.each<[string, Record<string, LockedPackage>, Manifest | undefined, RegExp]>([
    ["a package without a checksum", { "node_modules/b": { version: "1.0.0" } }, {}, /^node_modules\/b has no SHA-512/],
    ["a weak checksum", { "node_modules/b": { ...good, integrity: "sha1-AAAA" } }, {}, /no SHA-512 checksum/],
    ["an address", { "node_modules/b": { ...good, resolved: "git+ssh://x/b.git" } }, {}, /names an address: git\+ssh/],
    ["a link", { "node_modules/b": { link: true } }, {}, /is a link/],
    ["a range", {}, { dependencies: { a: "^1.2.3" } }, /^a is not pinned to one version, but \^1\.2\.3/],
    [
      "another version",
      {},
      { dependencies: { a: "1.2.4" } },
      /^a is 1\.2\.4 in package.json and 1\.2\.3 in the lockfile/,
    ],
    ["none of it", {}, { devDependencies: { z: "1.0.0" } }, /and nothing in the lockfile/],
    ["a new script", { "node_modules/b": { ...good, hasInstallScript: true } }, {}, /^b has an install script/],
    [
      "a malicious version",
      { "node_modules/x/node_modules/b": { ...good, version: "6.6.6" } },
      {},
      /^b 6\.6\.6 was published as malware: S/,
    ],
    [
      "one by another name",
      { "node_modules/y": { ...good, name: "@s/c", version: "0.0.1" } },
      {},
      /^@s\/c 0\.0\.1 was/,
    ],
  ])("with %s has that fault alone", (_what, packages, changes, fault) => {
    expect(faultsOf(packages, changes)).toEqual([expect.stringMatching(fault)]);
  });

  test("is compared with a list of malicious versions that each have a source", () => {
    const { incidents, as_of } = read("scripts/audit/malicious-versions.json") as typeof malicious;
    expect(as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { source, versions } of incidents) {
      expect(source).toMatch(/^(https:\/\/|CVE-\d{4}-\d+$)/);
      for (const version of Object.values(versions).flat()) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.-]+)?$/);
    }
  });
});

test("no package's install script is needed, and none is allowed to run", () => {
  const { packages } = read("package-lock.json") as { packages: Record<string, LockedPackage> };
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  // Their binaries come as packages of their own. local/deno.mjs finds Deno's without the script; the others' scripts only
  // check that theirs is there, or fetch it where npm was told to leave out optional packages.
  const names = ["deno", "esbuild", "sharp", "workerd"];
  expect(scripted.map(([path]) => path)).toEqual(names.map((name) => `node_modules/${name}`));
  expect(project.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
});

describe("the report of npm audit", () => {
  const of = (severity: string) => ({ name: `a-${severity}-one`, severity });

  test("is refused with a high or critical vulnerability, and not with lesser ones", () => {
    const vulnerabilities = { a: of("high"), b: of("critical"), c: of("moderate"), d: of("low") };
    expect(judgeReport({ vulnerabilities })).toEqual({
      audited: true,
      severe: ["a-high-one (high)", "a-critical-one (critical)"],
      others: 2,
    });
    expect(judgeReport({ vulnerabilities: {} })).toEqual({ audited: true, severe: [], others: 0 });
  });

  test("is nothing where the registry does not answer", () => {
    expect(judgeReport({ message: "405 Method Not Allowed" })).toEqual({
      audited: false,
      reason: "405 Method Not Allowed",
    });
  });
});
