import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { handlers } from "../../../functions/handlers.ts";
import { entryOf, functionNames, graphOf, root, walkAsCli } from "./modules.ts";

const importMap = (JSON.parse(readText("functions/deno.json")) as { imports: Record<string, string> }).imports;
const lockfile = JSON.parse(readText("package-lock.json")) as { packages: Record<string, { version: string }> };

describe.each(functionNames())("the deployment of %s", (name) => {
  const walk = walkAsCli(entryOf(name));
  const graph = graphOf(entryOf(name));

  test("takes every module that Deno loads", () => {
    expect(walk.files).toEqual(expect.arrayContaining(graph.files));
  });

  test("has no import of a file that is not there", () => {
    expect(walk.missing).toEqual([]);
  });

  test("imports packages of the import map alone", () => {
    expect(graph.packages.filter((specifier) => !Object.hasOwn(importMap, specifier))).toEqual([]);
  });

  test("is wired in supabase/config.toml, with keys of ours in place of JWTs", () => {
    const [, section = ""] = readText("supabase/config.toml").split(`\n[functions.${name}]\n`);
    expect(section.split("\n[")[0]?.trim().split("\n").sort()).toEqual([
      `entrypoint = "../functions/${name}/index.ts"`,
      `import_map = "../functions/deno.json"`,
      "verify_jwt = false",
    ]);
  });
});

test("functions/deno.json has the exact versions of package-lock.json", () => {
  const locked = Object.keys(importMap).map((specifier) => {
    const [, name, path] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) ?? [];
    return [specifier, `npm:${name}@${lockfile.packages[`node_modules/${name}`]?.version}${path}`];
  });
  expect(importMap).toEqual(Object.fromEntries(locked));
});

test("functions/deno.json has no package that nothing imports", () => {
  const imported = functionNames().flatMap((name) => graphOf(entryOf(name)).packages);
  expect([...new Set(imported)].sort()).toEqual(Object.keys(importMap).sort());
});

test("no import of functions/ or shared/ is computed", () => {
  const sources = ["functions", "shared"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => `${folder}/${path}`),
  );
  const computed = sources.filter((path) =>
    /\b(?:import|require)\s*\((?!\s*(?:"[^"]*"|'[^']*')\s*[,)])/.test(readText(path)),
  );
  expect(computed).toEqual([]);
});

test("the Cloudflare Worker serves every function", () => {
  expect(Object.keys(handlers).sort()).toEqual(functionNames());
});

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
