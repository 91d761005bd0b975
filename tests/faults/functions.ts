import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { denoArguments, denoBinary } from "../../local/deno-command.mjs";
import { freePort } from "../server/server-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The edge functions in a process of their own, as tests/native has them. */
export interface FunctionProcess {
  /** Up to the function's name. */
  baseUrl: string;
  kill(): Promise<void>;
}

/** @param program what serves them. */
export async function startFunctions(
  environment: Record<string, string> = {},
  program = "tests/native/functions.ts",
): Promise<FunctionProcess> {
  const port = await freePort();
  const child = spawnDeno([program, String(port)], environment);
  const baseUrl = `http://127.0.0.1:${port}/functions/v1`;
  for (;;) {
    const response = await fetch(`${baseUrl}/grants-api`).catch(() => undefined);
    if (response?.status === 401) break;
    if (child.exitCode !== null) throw new Error("the functions ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { baseUrl, kill: () => kill(child) };
}

/** The binary itself, so that it is what a SIGKILL hits. Its words go to FAULTS_LOG's reader, where that is set. */
export function spawnDeno(args: string[], environment: Record<string, string>, stdout?: "pipe"): ChildProcess {
  const output = process.env.FAULTS_LOG === undefined ? "ignore" : "inherit";
  return spawn(denoBinary() ?? "", denoArguments(args, environment.DATA_DIR), {
    cwd: root,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", ...environment },
    stdio: ["ignore", stdout ?? output, output],
  });
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}
