import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The functions: every folder of functions/ with an index.ts. */
export function functionNames(): string[] {
  return readdirSync(join(root, "functions"))
    .filter((name) => existsSync(join(root, "functions", name, "index.ts")))
    .sort();
}

export function entryOf(name: string): string {
  return `functions/${name}/index.ts`;
}

/**
 * The imports that Supabase's CLI 3.1.0 recognizes. It reads text, not syntax: an import that this
 * does not match is not deployed.
 */
const cliImport =
  /(?:import|export)\s+(?:type\s+)?(?:{[^{}]+}|.*?)\s*(?:from)?\s*['"](.*?)['"]|import\(\s*(?:"([^"\r\n]*)"|'([^'\r\n]*)')\s*[,)]/gi;

/**
 * Follows imports from a file as the CLI does.
 *
 * @returns the files found, and relative imports that name none, as `importer -> specifier`. (What is
 * neither, the CLI passes over: bare specifiers, and strings that merely follow the word `export`.)
 */
export function walkAsCli(entry: string): { files: string[]; missing: string[] } {
  const files = new Set<string>();
  const missing = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, plain, double, single] of readFileSync(join(root, file), "utf8").matchAll(cliImport)) {
      const specifier = plain ?? double ?? single ?? "";
      if (!specifier.startsWith(".")) continue;
      const imported = join(dirname(file), specifier);
      if (existsSync(join(root, imported))) pending.push(imported);
      else missing.add(`${file} -> ${specifier}`);
    }
  }
  return { files: [...files].sort(), missing: [...missing] };
}

interface DenoModule {
  specifier: string;
  kind: string;
  local?: string;
  error?: string;
  /** `code` is missing where types alone are imported. */
  dependencies?: { specifier: string; code?: { specifier?: string }; isDynamic?: boolean }[];
}

const loaded = new Map<string, readonly DenoModule[]>();

/** Modules that Deno loads for a file, types included. @throws when it cannot resolve one. */
function modulesOf(entry: string): readonly DenoModule[] {
  const known = loaded.get(entry);
  if (known !== undefined) return known;
  const output = execFileSync(
    process.execPath,
    [join(root, "node_modules/deno/bin.cjs"), "info", "--json", "--no-remote", join(root, entry)],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } },
  );
  const { modules } = JSON.parse(output) as { modules: DenoModule[] };
  const failed = modules.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(`Deno cannot load ${entry}: ${failed.error}`);
  loaded.set(entry, modules);
  return modules;
}

/**
 * Returns the modules that Deno loads for a file, types included: this repository's, and the bare specifiers
 * that they import.
 *
 * @throws when Deno cannot resolve one.
 */
export function graphOf(entry: string): { files: string[]; packages: string[] } {
  const own = modulesOf(entry).filter(({ kind }) => kind === "esm");
  const specifiers = own.flatMap(({ dependencies = [] }) => dependencies.map(({ specifier }) => specifier));
  return {
    files: own.map(({ local = "" }) => relative(root, local)).sort(),
    packages: [...new Set(specifiers.filter((specifier) => !specifier.startsWith(".")))].sort(),
  };
}

/**
 * Returns the files of this repository that are loaded with a file, before any of its code runs: those of its imports and of theirs, without those of
 * types and of `import()`.
 *
 * @returns the importer of each, by file. The file itself is its own.
 */
export function reachOf(entry: string): Map<string, string> {
  const byName = new Map(modulesOf(entry).map((module) => [module.specifier, module]));
  const reach = new Map([[entry, entry]]);
  // Files that are added while the loop runs are visited as well.
  for (const [file] of reach) {
    for (const { code, isDynamic = false } of byName.get(pathToFileURL(join(root, file)).href)?.dependencies ?? []) {
      const local = byName.get(code?.specifier ?? "")?.local;
      if (isDynamic || local === undefined) continue;
      const path = relative(root, local);
      if (!path.startsWith("node_modules/") && !reach.has(path)) reach.set(path, file);
    }
  }
  return reach;
}
