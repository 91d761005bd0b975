import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateExtract } from "./extract.ts";
import { writePipedZip } from "./zip-file.ts";

export interface ExtractFile {
  path: string;
  opportunities: number;
  /** Size of the XML, and of the archive. */
  bytes: number;
  packedBytes: number;
}

/** Version of the generator. A file of another version is generated again. */
const version = 2;
const folder = fileURLToPath(new URL("../../.data/bench/import/", import.meta.url));

/** Returns a generated extract in `.data/bench/import`. It is made once, and is the same every time. */
export async function ensureExtractFile(opportunities: number): Promise<ExtractFile> {
  const path = join(folder, `extract-${version}-${opportunities}.zip`);
  const known = await readFile(`${path}.json`, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as ExtractFile;
  await mkdir(folder, { recursive: true });
  const sizes = await writePipedZip(path, "GrantsDBExtract20261120v2.xml", generateExtract({ opportunities }));
  const file = { path, opportunities, ...sizes };
  // Written last, so that an unfinished archive is not taken for a complete one.
  await writeFile(`${path}.json`, JSON.stringify(file));
  return file;
}
