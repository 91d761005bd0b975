import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pathOfTemplate, removeOldTemplates } from "../support/template-cache.ts";
import { freePort, startServer } from "./server-process.ts";

/** Files that decide what a first start makes. */
const sources = [
  "supabase/migrations",
  "supabase/schemas",
  "database",
  "ingest",
  "local",
  "shared",
  "package-lock.json",
];

/**
 * Makes a data folder as a first `npm start` leaves it: for suites to which that start, of fifteen seconds or more, is none
 * of their business.
 *
 * @returns the path.
 */
export async function copyDemoFolder(path: string): Promise<string> {
  const kept = await pathOfTemplate("data", new Date(), sources);
  await removeOldTemplates();
  if (!existsSync(kept)) await makeDemoFolder(kept);
  await cp(kept, path, { recursive: true });
  return path;
}

async function makeDemoFolder(kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true });
  const unfinished = `${kept}.${process.pid}-${crypto.randomUUID()}`;
  const server = await startServer({ DATA_DIR: unfinished, PORT: String(await freePort()) });
  await server.end("SIGTERM");
  // Another process may have been faster: its folder is as good.
  await rename(unfinished, kept).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  });
}
