import { describe, expect, test } from "vitest";
import { release } from "../../shared/release.ts";
import { apiClient } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each([
  ["/health", "live"],
  ["/health/ready", "ready"],
])("GET %s", (path, status) => {
  test(`says ${status}, to whoever asks, and is not kept`, async () => {
    const response = await target.send(path, {}, "nobody");
    const freshness = { grants: moment, contracts: moment, funders: moment };
    const body = status === "ready" ? { status, release, data_as_of: freshness } : { status, release };
    expect([response.status, await response.json()]).toEqual([200, body]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await target.send(path, { method: "HEAD" }, "nobody")).status).toBe(200);
  });

  test("takes no parameters and no other method", async () => {
    await client.refused(`${path}?verbose=true`, 400, "nobody");
    expect((await target.send(path, { method: "POST" }, "nobody")).status).toBe(405);
  });
});

test("there is nothing else below /health", async () => {
  await client.refused("/health/alive", 404, "nobody");
});
