import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashKey } from "../../../shared/auth/key.ts";
import { readParameters } from "../list-requests.ts";
import type { SpeedKeys } from "../speed-case.ts";
import type { PostgRest } from "./postgrest.ts";
import { callRpc } from "./requests.ts";

/** Runs `work` with a file that has the database's answer to a list of 20. */
export async function withConstantAnswer<Result>(
  postgrest: PostgRest,
  keys: SpeedKeys,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(tmpdir(), `bench-answer-${crypto.randomUUID()}.json`);
  const answer = await callRpc(postgrest, "public", "list_grants", {
    key_hash: await hashKey(keys.unlimited),
    parameters: readParameters("?limit=20"),
  });
  await writeFile(path, answer, { mode: 0o600 });
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
