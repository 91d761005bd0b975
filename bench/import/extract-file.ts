import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { extractXml } from "./extract.ts";
import { writePipedZip } from "./zip-file.ts";

export interface ExtractFile {
  path: string;
  opportunities: number;
  /** Of the XML, and of the archive. */
  bytes: number;
  packedBytes: number;
}

/** The generator's version: a file of another one is made anew. */
const version = 2;
const folder = fileURLToPath(new URL("../../.data/bench/import/", import.meta.url));

/** A generated extract of so many opportunities, in `.data/bench/import`; made once, and the same every time. */
export async function extractFile(opportunities: number): Promise<ExtractFile> {
  const path = join(folder, `extract-${version}-${opportunities}.zip`);
  const known = await readFile(`${path}.json`, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as ExtractFile;
  await mkdir(folder, { recursive: true });
  const today = new Date("2026-11-20");
  const sizes = await writePipedZip(path, "GrantsDBExtract20261120v2.xml", extractXml({ opportunities, today }));
  const file = { path, opportunities, ...sizes };
  // Last, so that a file that was not finished is not taken for one that was.
  await writeFile(`${path}.json`, JSON.stringify(file));
  return file;
}
