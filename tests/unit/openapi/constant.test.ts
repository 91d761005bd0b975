import { expect, test, vi } from "vitest";
import { type FullRuntime, handlers } from "../../../functions/handlers.ts";
import openapi from "../../../functions/openapi/openapi.json" with { type: "json" };
import { silentLog } from "../../../shared/log/log.ts";

/** A service without a database, which is all that strangers may cost it. */
const runtime = { log: silentLog } as unknown as FullRuntime;

// Regression: each GET /openapi wrote 342 kB as JSON and hashed them, for anybody.
test("a document that never changes is written and hashed once, whoever asks and however often", async () => {
  const ask = (init: RequestInit = {}) =>
    handlers.openapi?.(new Request("https://api.example/functions/v1/openapi", init), runtime) as Promise<Response>;
  const first = await ask();
  expect(await first.json()).toEqual(openapi);
  const tag = first.headers.get("etag") ?? "";
  const [write, hash] = [vi.spyOn(JSON, "stringify"), vi.spyOn(crypto.subtle, "digest")];
  try {
    const bodies = [await ask(), await ask({ headers: { "if-none-match": '"other"' } })];
    for (const body of bodies) expect(await body.json()).toEqual(openapi);
    const head = await ask({ method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(openapi))));
    const same = await ask({ headers: { "if-none-match": tag } });
    expect([same.status, await same.text()]).toEqual([304, ""]);
    expect([...bodies, head, same].map(({ headers }) => headers.get("etag"))).toEqual(Array(4).fill(tag));
    expect(hash).not.toHaveBeenCalled();
    // The one above is the test's own.
    const written = write.mock.results.filter(({ value }) => String(value).length > 10_000);
    expect(written).toHaveLength(1);
  } finally {
    write.mockRestore();
    hash.mockRestore();
  }
});
