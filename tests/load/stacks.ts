import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../bench/speed/http/process.ts";
import { denoArguments, openFilesMaximum, serverProgram } from "../../local/deno-command.mjs";
import { copyDemoFolder } from "../server/demo-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A stack that serves on 127.0.0.1. */
export interface Stack {
  name: "embedded" | "native";
  /** Up to the function's name. */
  baseUrl: string;
  databaseUrl: string;
  /** Its processes' ids, by what they are. */
  pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** The functions of tests/native over the stack that the environment names, as `tests/load/run.sh` sets it. */
export async function startNative(): Promise<Stack> {
  const { DATABASE_URL: databaseUrl, STACK_DIR: folder } = process.env;
  if (databaseUrl === undefined || folder === undefined) throw new Error("tests/load/run.sh starts the native stack");
  const port = await findFreePort();
  const child = startDeno(["tests/native/functions.ts", String(port)], {});
  const baseUrl = `http://127.0.0.1:${port}/functions/v1`;
  await untilServed(`${baseUrl}/grants-api`);
  const pids = {
    function: child.pid,
    postgrest: await pidOf(folder, "postgrest"),
    postgres: await pidOf(folder, "postgres"),
  };
  return { name: "native", baseUrl, databaseUrl, pids, stop: () => end(child) };
}

/** The embedded server on a new copy of the demo records. */
export async function startEmbedded(): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), "funding-load-"));
  const port = await findFreePort();
  const data = await copyDemoFolder(join(folder, "data"));
  const child = startDeno([serverProgram], {
    PORT: String(port),
    DATA_DIR: data,
    // As the launcher does.
    OPEN_FILES_MAXIMUM: openFilesMaximum() ?? "",
  });
  const baseUrl = `http://127.0.0.1:${port}/functions/v1`;
  await untilServed(`${baseUrl}/grants-api`);
  const server = JSON.parse(await readFile(join(data, "server.json"), "utf8")) as { database_url: string };
  return {
    name: "embedded",
    baseUrl,
    databaseUrl: server.database_url,
    pids: { server: child.pid },
    async stop() {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startDeno(args: string[], env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: denoArguments(args, env.DATA_DIR),
    cwd: root,
    env,
    stdin: "null",
    stdout: "null",
    stderr: process.env.LOAD_LOG === undefined ? "null" : "inherit",
  }).spawn();
}

async function end(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await child.status;
}

/** A first start makes its records, which takes most of a minute. */
async function untilServed(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1_500; attempt++) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing answers at ${url}`);
}

async function pidOf(folder: string, name: string): Promise<number> {
  return Number((await readFile(join(folder, "pids", name), "utf8")).split(" ")[0]);
}
