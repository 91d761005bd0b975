import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verdictOf } from "../../../scripts/audit.ts";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8"));
const project = read("package.json") as Record<
  "dependencies" | "devDependencies" | "allowScripts",
  Record<string, string>
>;
const locks = ["package-lock.json", "bench/speed/libraries/package-lock.json"];

describe.each(locks)("%s", (name) => {
  const packages = Object.entries((read(name) as { packages: Record<string, Locked> }).packages).filter(
    ([path]) => path !== "",
  );

  test("has the checksum of every package", () => {
    const without = packages.filter(([, { integrity = "", link }]) => link !== true && !/^sha512-/.test(integrity));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  test("names no address: packages come from the registry that npm is set to", () => {
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});

test("every dependency is pinned to one version, and is that in the lockfile", () => {
  const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
  for (const [name, version] of Object.entries({ ...project.dependencies, ...project.devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  }
});

test("no package's install script is needed, and none is allowed to run", () => {
  const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  // Its binary comes as a package of its own, which local/deno.mjs finds without the script.
  expect(scripted.map(([path]) => path)).toEqual(["node_modules/deno"]);
  expect(project.allowScripts).toEqual({ deno: false });
});

describe("what npm audit says", () => {
  const of = (severity: string) => ({ name: `a-${severity}-one`, severity });

  test("is refused with a high or critical vulnerability, and not with lesser ones", () => {
    const vulnerabilities = { a: of("high"), b: of("critical"), c: of("moderate"), d: of("low") };
    expect(verdictOf({ vulnerabilities })).toEqual({
      audited: true,
      severe: ["a-high-one (high)", "a-critical-one (critical)"],
      others: 2,
    });
    expect(verdictOf({ vulnerabilities: {} })).toEqual({ audited: true, severe: [], others: 0 });
  });

  test("is nothing where the registry does not answer", () => {
    expect(verdictOf({ message: "405 Method Not Allowed" })).toEqual({
      audited: false,
      reason: "405 Method Not Allowed",
    });
  });
});
