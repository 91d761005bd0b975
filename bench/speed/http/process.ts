import { createServer } from "node:net";

/** Finds a free port on 127.0.0.1. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Runs `work` while a program runs, and ends the program afterwards. */
export async function withProcess<Result>(
  path: string,
  options: Deno.CommandOptions,
  work: (process: Deno.ChildProcess) => Promise<Result>,
): Promise<Result> {
  // Its standard error goes to ours, since it prints there only when something is wrong.
  const child = new Deno.Command(path, { stdin: "null", stdout: "null", stderr: "inherit", ...options }).spawn();
  try {
    return await work(child);
  } finally {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has already ended.
    }
    await child.status;
  }
}

const maxWaitMs = 30_000;

/** Sends requests until one is answered 200. */
export async function waitUntilReady(url: string, headers: Record<string, string>): Promise<void> {
  const start = performance.now();
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => undefined);
    const text = await response?.text();
    if (response?.status === 200) return;
    if (performance.now() - start > maxWaitMs)
      throw new Error(`${url} answers ${response?.status ?? "nothing"}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
