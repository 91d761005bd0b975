import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Report } from "../speed-case.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The libraries cannot be installed. The message is the reason. */
export class LibrariesError extends Error {}

/** Imports a file of the installation, by its path below `node_modules`. */
export type LoadModule = (path: string) => Promise<unknown>;

/**
 * Installs the packages of package.json in this folder, at the versions of its lockfile, once per machine and outside
 * the checkout: only this comparison needs these 240 MB.
 *
 * @throws {LibrariesError} when npm cannot install them.
 */
export async function installLibraries(report: Report): Promise<LoadModule> {
  const lockfile = await readFile(join(here, "package-lock.json"));
  const version = createHash("sha256").update(lockfile).digest("hex").slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "funding-tools");
  const folder = join(cache, `bench-libraries-${version}`);
  if (!existsSync(folder)) {
    report("libraries: installing LanceDB and Orama, 240 MB, once");
    await mkdir(cache, { recursive: true });
    const scratch = await mkdtemp(join(cache, "fetch."));
    for (const name of ["package.json", "package-lock.json"]) await copyFile(join(here, name), join(scratch, name));
    const { success, stderr } = await new Deno.Command("npm", {
      // `npm ci` refuses a lockfile without binaries of platforms that a registry does not have.
      args: ["install", "--prefix", scratch, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    }).output();
    if (!success) {
      await rm(scratch, { recursive: true, force: true });
      const [reason = ""] = new TextDecoder().decode(stderr).split("\n");
      throw new LibrariesError(`npm cannot install LanceDB and Orama: ${reason}`);
    }
    // A rename is atomic, so an interrupted installation is never taken for a complete one.
    await rename(scratch, folder);
  }
  return (path) => import(pathToFileURL(join(folder, "node_modules", path)).href);
}
