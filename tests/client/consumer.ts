import { execFile, execFileSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The path of a tool of scripts/tool.sh. */
export function tool(name: string): string {
  return execFileSync(join(root, "scripts/tool.sh"), [name], { encoding: "utf8" }).trim();
}

/** A project that depends on the client, as anybody's would. */
export interface Consumer {
  folder: string;
  /** The files in the package, as npm packed them. */
  packed: string[];
  remove(): Promise<void>;
}

/** Packs the client and installs the tarball in a new project. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), "funding-consumer-"));
  const packageFolder = join(root, "packages/client");
  await rm(join(packageFolder, "dist"), { recursive: true, force: true });
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: packageFolder });
  const [pack] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string; files: { path: string }[] }[];
  if (pack === undefined) throw new Error("npm packed nothing");
  await writeFile(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", `./${pack.filename}`], { cwd: folder });
  await cp(join(root, "tests/client/scenario.mjs"), join(folder, "scenario.mjs"));
  return {
    folder,
    packed: pack.files.map(({ path }) => path).sort(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
