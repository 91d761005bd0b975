import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Modules that may write to the terminal directly: the writers, code that runs before them, and replies to the parent process. */
const writers = [
  "bench/cold-start/first-answer.ts",
  "bench/webhooks/receiver-process.ts",
  "cli/embed/confirm.ts",
  "ingest/documents/process/child.ts",
  "local/dashboard/build-command.mjs",
  "local/deno.mjs",
  "local/print.ts",
  "scripts/catalogue-script.mjs",
  "shared/log/log.ts",
];
const folders = "bench cli database functions ingest local scripts shared status worker".split(" ");

test("every line is written through the one writer", () => {
  const sources = folders.flatMap((path) =>
    readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.m?ts$|\.mjs$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(path, name)),
  );
  const codeOf = (path: string) =>
    readFileSync(join(root, path), "utf8")
      .replaceAll(/^\s*(\/?\*|\/\/).*$/gm, "")
      .replaceAll(/"[^"\n]*"|`[^`\n]*`/g, '""');
  const found = sources.filter((path) => /\bconsole\.|\b(process|Deno)\.std(out|err)\b/.test(codeOf(path)));
  expect(found.sort()).toEqual(writers);
});
