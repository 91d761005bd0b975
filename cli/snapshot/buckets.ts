import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { createSupabaseClient, type DatabaseOptions } from "../../shared/database/client.ts";
import type { Bucket } from "./publish.ts";

/** A private bucket of Supabase Storage, which is created where it is missing. */
export async function openSupabaseBucket(project: DatabaseOptions, name: string): Promise<Bucket> {
  const { storage } = createSupabaseClient(project);
  const { error } = await storage.createBucket(name, { public: false });
  if (error !== null && !/already exists/i.test(error.message)) {
    throw new Error(`the bucket ${name} could not be created: ${error.message}`);
  }
  const files = storage.from(name);
  return {
    async upload(path, file, contentType) {
      const { error } = await files.upload(path, await readFile(file), { contentType, upsert: true });
      if (error !== null) throw new Error(`${path} could not be uploaded: ${error.message}`);
    },
    async remove(paths) {
      const { error } = await files.remove(paths);
      if (error !== null) throw new Error(`${paths[0]} and others could not be removed: ${error.message}`);
    },
  };
}

/**
 * A bucket of Cloudflare R2, by Wrangler, which takes files of up to 300 MiB.
 *
 * @param where arguments that say where the bucket is: by default at Cloudflare, in the account that Wrangler is signed in to.
 */
export function openR2Bucket(name: string, where: readonly string[] = ["--remote"]): Bucket {
  return {
    upload: (path, file, contentType) =>
      wrangler(["put", `${name}/${path}`, "--file", file, "--content-type", contentType, ...where]),
    async remove(paths) {
      for (const path of paths) await wrangler(["delete", `${name}/${path}`, ...where]);
    },
  };
}

async function wrangler(command: string[]): Promise<void> {
  const packagePath = createRequire(import.meta.url).resolve("wrangler/package.json");
  const script = packagePath.replace(/package\.json$/, "bin/wrangler.js");
  try {
    await promisify(execFile)("node", [script, "r2", "object", ...command], {
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { stderr?: string; stdout?: string };
    throw new Error(`wrangler r2 object ${command.slice(0, 2).join(" ")} failed: ${(stderr || stdout).trim()}`);
  }
}
