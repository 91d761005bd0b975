/**
 * Generates functions/openapi/openapi.json: the OpenAPI document, made of the schemas that validate requests and answers.
 *
 * usage: node local/deno.mjs scripts/openapi.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is stale.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { printError } from "../local/print.ts";
import { openApiDocument } from "../openapi/document.ts";

const outputPath = fileURLToPath(new URL("../functions/openapi/openapi.json", import.meta.url));
const text = `${JSON.stringify(openApiDocument, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  await writeFile(outputPath, text);
} else if ((await readFile(outputPath, "utf8").catch(() => "")) !== text) {
  printError(`${outputPath} is stale: run npm run openapi`);
  process.exitCode = 1;
}
