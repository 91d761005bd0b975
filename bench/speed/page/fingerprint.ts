import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { versionFiles } from "../../../scripts/release/files.ts";

/** Folders of what decides the measured times. */
const folders = [
  "supabase/schemas",
  "supabase/migrations",
  "database/lexicon",
  "shared",
  "functions",
  "local/embedded",
];
/** Files in them that are served as they are, explain the others, or are copies of them that a release makes. */
const leftOut =
  /^functions\/openapi\/(openapi\.json|pages\.generated\.ts)$|^supabase\/migrations\/\d+_functions\.sql$|\.md$/;

/** Whether a file of a checkout decides how fast the product is. */
export function decidesSpeed(path: string): boolean {
  return (
    folders.some((folder) => path.startsWith(`${folder}/`)) &&
    !leftOut.test(path) &&
    !versionFiles.some((file) => file.path === path)
  );
}

/** Fingerprint of the product's code in a checkout: SHA-256 of the names and bytes of the files that decide its speed. */
export async function fingerprintCode(root: string): Promise<string> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
  });
  // A file that was deleted is listed until that is committed.
  const paths = listed.split("\0").filter((path) => decidesSpeed(path) && existsSync(join(root, path)));
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) {
    const bytes = await readFile(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
