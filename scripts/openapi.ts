/**
 * Writes functions/openapi/openapi.json: the API's description, made of the schemas that requests and answers are
 * held to.
 *
 * usage: node local/deno.mjs scripts/openapi.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../openapi/document.ts";

const outputPath = fileURLToPath(new URL("../functions/openapi/openapi.json", import.meta.url));
const text = `${JSON.stringify(openApiDocument, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  await writeFile(outputPath, text);
} else if ((await readFile(outputPath, "utf8").catch(() => "")) !== text) {
  console.error(`${outputPath} is stale: run npm run openapi`);
  process.exitCode = 1;
}
