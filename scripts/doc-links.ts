/**
 * Checks the links of all documents, and the documents that code names: a relative link leads to a file, its anchor to a heading, and
 * a page of `docs/` that code or SQL names is there. Paths of this repository in backticks must be there, too.
 *
 * usage: node local/deno.mjs scripts/doc-links.ts
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { print, printError } from "../local/print.ts";
import { findLinkFaults } from "./doc-links/faults.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Folders that are not ours, and released migrations, whose comments stay as they are. */
const skipped = new Set(["node_modules", ".git", ".data", ".scratch", ".venv", "dist", "migrations"]);
const named = /\.(md|ts|tsx|mjs|sql|sh|py|toml|jsonc|json|yml)$|^run$/;

function filesOf(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesOf(`${path}/`);
    return named.test(entry.name) ? [path] : [];
  });
}

const texts = new Map(filesOf("").map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
const faults = findLinkFaults(texts, (path) => existsSync(`${root}${path}`));
if (faults.length > 0) {
  printError(faults);
  process.exitCode = 1;
} else {
  print(`the links of ${[...texts.keys()].filter((path) => path.endsWith(".md")).length} documents lead somewhere`);
}
