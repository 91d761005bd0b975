import { createServer } from "node:net";

/** A port on 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
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
  // What it says goes where ours goes: it is silent unless something is wrong.
  const child = new Deno.Command(path, { stdin: "null", stdout: "null", stderr: "inherit", ...options }).spawn();
  try {
    return await work(child);
  } finally {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended by itself.
    }
    await child.status;
  }
}

const patienceMs = 30_000;

/** Asks until the answer's status is 200. */
export async function untilItAnswers(url: string, headers: Record<string, string>): Promise<void> {
  const start = performance.now();
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => undefined);
    const text = await response?.text();
    if (response?.status === 200) return;
    if (performance.now() - start > patienceMs)
      throw new Error(`${url} answers ${response?.status ?? "nothing"}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
