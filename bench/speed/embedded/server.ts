import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { freePort, withProcess } from "../http/process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A running embedded stack. */
export interface EmbeddedServer {
  baseUrl: string;
  key: string;
  /** From the start of the process until it said that it serves. */
  startMs: number;
  /** Memory in the machine's RAM now and at its most, in MiB; undefined where there is no /proc. */
  memory(): Promise<{ now: number; most: number } | undefined>;
}

/** Runs `work` while `npm start`'s server serves a data folder. */
export async function withEmbeddedServer<Result>(
  folder: string,
  work: (server: EmbeddedServer) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const started = performance.now();
  const args = ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", "--no-prompt", "local/start.ts"];
  const env = { PORT: String(port), DATA_DIR: folder, DENO_NO_UPDATE_CHECK: "1" };
  return withProcess(
    Deno.execPath(),
    { args, env, cwd: root, stdout: "piped", stderr: "null" },
    async ({ pid, stdout }) => {
      const said = await readUntil(stdout, /^curl /m);
      const startMs = performance.now() - started;
      const [, key = ""] = /^api_key=(.+)$/m.exec(said) ?? [];
      return work({
        baseUrl: `http://127.0.0.1:${port}/functions/v1`,
        key,
        startMs,
        memory: () => memoryOf(pid),
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
      // Not cancelled: the server would fail at its next word.
      reader.releaseLock();
      return text;
    }
  }
}

async function memoryOf(pid: number): Promise<{ now: number; most: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  if (status === undefined) return undefined;
  const mebibytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024);
  return { now: mebibytes("VmRSS"), most: mebibytes("VmHWM") };
}
