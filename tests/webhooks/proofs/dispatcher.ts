import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { denoArguments, denoBinary } from "../../../local/deno-command.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A dispatcher process that was started. */
export interface DispatcherProcess {
  process: ChildProcess;
  /** Resolves when it has begun to work. */
  started: Promise<void>;
  /** Ends it with SIGKILL, wherever it is. */
  kill(): Promise<void>;
}

/** Starts a dispatcher; the binary itself, so that it is what a SIGKILL hits. */
export function startDispatcher(secretsKey: string, environment: Record<string, string> = {}): DispatcherProcess {
  const child = spawn(denoBinary() ?? "", denoArguments(["tests/webhooks/proofs/dispatcher-process.ts"]), {
    cwd: root,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", WEBHOOK_SECRETS_KEY: secretsKey, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (data) => {
      if (process.env.DISPATCHER_LOG !== undefined) process.stderr.write(data);
    });
  }
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    started: new Promise((resolve) => child.stdout.once("data", () => resolve())),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
