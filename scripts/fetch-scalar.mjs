/**
 * Fetches reference/scalar.js, the script of the page at /reference: one file of 4 MB from an npm package that has 287 MB
 * with its dependencies. `npm ci` runs this. If the registry cannot be reached, it prints a warning and succeeds, since
 * only that page needs the file.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const scalar = "@scalar/api-reference@1.72.1";
const file = "package/dist/browser/standalone.js";
const sha256 = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c";

const reference = fileURLToPath(new URL("../reference/", import.meta.url));
const target = join(reference, "scalar.js");

if (!existsSync(target) || !hasExpectedChecksum(target)) {
  // In the same folder, so that the file can be renamed into place atomically.
  const scratch = mkdtempSync(join(reference, ".fetch-"));
  try {
    fetchInto(scratch);
  } catch (error) {
    console.warn(
      `The API reference at /reference will be missing its script (${error.message.replaceAll(/[^ -~]/g, "?")}). Get it later: node scripts/fetch-scalar.mjs`,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function fetchInto(folder) {
  run("npm", ["pack", "--silent", "--pack-destination", folder, scalar], folder);
  run("tar", ["-xzf", "scalar-api-reference-1.72.1.tgz", file], folder);
  const fetched = join(folder, file);
  if (!hasExpectedChecksum(fetched)) throw new Error(`${scalar} does not have the expected checksum`);
  renameSync(fetched, target);
}

function run(command, words, cwd) {
  const { error, status, stderr } = spawnSync(command, words, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(stderr.trim().split("\n")[0] || `${command} ended with ${status}`);
}

function hasExpectedChecksum(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex") === sha256;
}
