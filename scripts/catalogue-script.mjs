// @ts-check
/**
 * Writes the script of the public catalogue's pages into functions/catalogue/script.generated.ts: the browser's code in functions/catalogue/browser as
 * one file.
 *
 * usage: node scripts/catalogue-script.mjs [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const pathOf = (/** @type {string} */ relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const target = pathOf("functions/catalogue/script.generated.ts");

const built = await build({
  configFile: false,
  logLevel: "error",
  root: pathOf("functions/catalogue/browser"),
  build: {
    write: false,
    target: "es2022",
    rollupOptions: { input: pathOf("functions/catalogue/browser/index.ts"), output: { format: "iife" } },
  },
});
const [output] = "output" in built ? built.output : [];
if (output?.type !== "chunk") throw new Error("the build made no script");
const text = `// Written by npm run build:catalogue from functions/catalogue/browser.\nexport const script = ${JSON.stringify(output.code.trim())};\n`;

if (!process.argv.includes("--check")) {
  await writeFile(target, text);
} else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
  console.error(
    "functions/catalogue/script.generated.ts is not what functions/catalogue/browser makes: npm run build:catalogue",
  );
  process.exitCode = 1;
}
