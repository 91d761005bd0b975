import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { secretKey } from "./records.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A run of a command. */
export interface CommandRun {
  /** The exit status, or null when it was killed; and what it wrote, both streams together. */
  done: Promise<{ status: number | null; output: string }>;
  /** Its output so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
}

/** Runs the command as an operator does, on the database at `databaseUrl` and the server at `baseUrl`. */
export function startEmbed(
  databaseUrl: string,
  baseUrl: string,
  words: string[],
  settings: Record<string, string> = {},
): CommandRun {
  return startCommand("embed", baseUrl, ["--database-url", databaseUrl, ...words], settings);
}

/** Runs one of the commands in `cli/`, with the server at `baseUrl` as its provider of embeddings. */
export function startCommand(
  name: string,
  baseUrl: string,
  words: string[],
  settings: Record<string, string> = {},
): CommandRun {
  // In a process group of its own, so that a signal reaches Deno as one from a terminal does.
  const child = spawn(process.execPath, ["local/deno.mjs", `cli/${name}.ts`, ...words], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: secretKey, ...settings },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    done: new Promise((resolve) => child.on("close", (status) => resolve({ status, output }))),
    output: () => output,
    signal(name) {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    },
  };
}
