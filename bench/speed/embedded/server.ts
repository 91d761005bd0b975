import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoArguments, serverProgram } from "../../../local/deno-command.mjs";
import { readUsage } from "../../process-usage.ts";
import { findFreePort, withProcess } from "../http/process.ts";
import type { SpeedKeys } from "../speed-case.ts";
import { speedKeysFile } from "./folder.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A running embedded stack. */
export interface EmbeddedServer {
  baseUrl: string;
  key: string;
  /** Key of another account. */
  otherKey: string;
  /** Time from the start of the process until it printed that it serves. */
  startMs: number;
  /** Resident memory now and at its peak, in MiB; undefined when there is no /proc. */
  readMemory(): Promise<{ now: number; peak: number } | undefined>;
}

/** Runs `work` while the server of `npm start` serves a data folder. */
export async function withEmbeddedServer<Result>(
  folder: string,
  work: (server: EmbeddedServer) => Promise<Result>,
): Promise<Result> {
  const speedKeys: SpeedKeys = JSON.parse(await readFile(join(folder, speedKeysFile), "utf8"));
  const port = await findFreePort();
  const started = performance.now();
  const args = denoArguments([serverProgram], folder);
  const env = { PORT: String(port), DATA_DIR: folder, DENO_NO_UPDATE_CHECK: "1" };
  return withProcess(
    Deno.execPath(),
    { args, env, cwd: root, stdout: "piped", stderr: "null" },
    async ({ pid, stdout }) => {
      const output = await readUntil(stdout, /^curl /m);
      const startMs = performance.now() - started;
      const [, key = ""] = /^api_key=(.+)$/m.exec(output) ?? [];
      return work({
        baseUrl: `http://127.0.0.1:${port}/functions/v1`,
        key,
        otherKey: speedKeys.unlimited,
        startMs,
        async readMemory() {
          const usage = await readUsage(pid);
          return usage && { now: usage.memoryMegabytes, peak: usage.peakMegabytes };
        },
      });
    },
  );
}

async function readUntil(stream: ReadableStream<Uint8Array>, end: RegExp): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the embedded server ended before it was ready; npm start says why");
    text += decoder.decode(value, { stream: true });
    if (end.test(text)) {
      // Not cancelled, since the server would fail at its next write.
      reader.releaseLock();
      return text;
    }
  }
}
