import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import type { Received } from "../webhooks/receiver.ts";
import { readSecrets } from "./fixture.ts";

const secrets = readSecrets();

/** Each key, also one that is being replaced, and what its tier may. */
export async function expectKeysToWork(baseUrl: string): Promise<void> {
  const status = async (key: string) =>
    (await fetch(`${baseUrl}/grants-api?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status;
  const { keys, rotating } = secrets;
  expect({
    developer: await status(keys.api_key),
    limited: await status(keys.limited_api_key),
    free: await status(keys.free_api_key),
    replaced: await status(rotating.old),
    replacing: await status(rotating.new),
  }).toEqual({ developer: 200, limited: 200, free: 403, replaced: 200, replacing: 200 });
}

/** The three deliveries that the old version had made arrive, one of which it was sending, signed with both secrets. */
export async function expectDeliveries(received: readonly Received[]): Promise<void> {
  await waitUntil(() => new Set(received.map(({ payload }) => payload.id)).size >= 3, "the old deliveries arrive");
  const { secret, former } = secrets.webhook;
  for (const { headers, body, payload } of received) {
    const signed = `${payload.id}.${headers["webhook-timestamp"]}.${body}`;
    const signatures = [secret, former].map((one) => {
      const key = Buffer.from(one.replace("whsec_", ""), "base64");
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    });
    expect(headers["webhook-signature"]?.split(" ")).toEqual(signatures);
  }
  expect([...new Set(received.map(({ payload }) => payload.data.title))].sort()).toEqual(
    [1, 2, 3].map((number) => `Bridges of town ${number}`),
  );
}
