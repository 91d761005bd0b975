import { fileURLToPath } from "node:url";
import type { PostgRest } from "./postgrest.ts";
import { freePort, untilItAnswers, withProcess } from "./process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Runs `work` while the functions serve in a process of their own. */
export async function withApi<Result>(
  backend: PostgRest | { constantAnswer: string },
  key: string,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const env: Record<string, string> =
    "url" in backend
      ? { POSTGREST_URL: backend.url, SERVICE_KEY: backend.serviceKey }
      : { POSTGREST_URL: "http://constant.invalid", SERVICE_KEY: "none", CONSTANT_ANSWER: backend.constantAnswer };
  const args = ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", "--no-prompt"];
  const script = fileURLToPath(new URL("serve-api.ts", import.meta.url));
  return withProcess(Deno.execPath(), { args: [...args, script, String(port)], cwd: root, env }, async () => {
    const baseUrl = `http://127.0.0.1:${port}/functions/v1`;
    await untilItAnswers(`${baseUrl}/grants-api?limit=1`, bearer(key));
    return work(baseUrl);
  });
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
