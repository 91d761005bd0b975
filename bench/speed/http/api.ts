import { fileURLToPath } from "node:url";
import type { PostgRest } from "./postgrest.ts";
import { findFreePort, waitUntilReady, withProcess } from "./process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Functions that serve in a separate process. */
export interface RunningApi {
  /** Address up to the function's name. */
  url: string;
  pid: number;
}

/**
 * Runs `work` while the functions serve in a separate process.
 *
 * @param settings further variables of its environment.
 */
export async function withApi<Result>(
  backend: PostgRest | { constantAnswer: string },
  key: string,
  work: (api: RunningApi) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const port = await findFreePort();
  const env: Record<string, string> =
    "url" in backend
      ? { POSTGREST_URL: backend.url, SERVICE_KEY: backend.serviceKey }
      : { POSTGREST_URL: "http://constant.invalid", SERVICE_KEY: "none", CONSTANT_ANSWER: backend.constantAnswer };
  const args = ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", "--no-prompt"];
  const script = fileURLToPath(new URL("serve-api.ts", import.meta.url));
  return withProcess(
    Deno.execPath(),
    { args: [...args, script, String(port)], cwd: root, env: { ...env, ...settings } },
    async ({ pid }) => {
      const url = `http://127.0.0.1:${port}/functions/v1`;
      await waitUntilReady(`${url}/grants-api?limit=1`, bearer(key));
      return work({ url, pid });
    },
  );
}

/** Headers with an API key. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
