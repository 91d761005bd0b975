import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Check, probe } from "../../../status/probe.ts";

const secret = "the-secret-of-the-metrics";
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Checks a server that answers so. */
async function checked(listener: RequestListener, options: Partial<Parameters<typeof probe>[0]> = {}): Promise<Check> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/functions/v1`;
  return probe({ baseUrl, metricsSecret: undefined, retryAfterMs: 1, ...options });
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };

describe("a check finds", () => {
  test("a deployment that is ready", async () => {
    const check = await checked(json(200, { status: "ready", warnings: ["the index x is missing"] }));
    expect(check).toMatchObject({ outcome: "ready", detail: undefined, metrics: undefined, metricsProblem: undefined });
    expect(check.responseMs).toBeGreaterThanOrEqual(0);
  });

  test.each<[what: string, listener: RequestListener, detail: string]>([
    [
      "the reason of a 503",
      json(503, { detail: "Not ready: the database was not reached." }),
      "Not ready: the database was not reached.",
    ],
    [
      "a gateway's page in HTML",
      (_request, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"),
      "It answered with HTTP status 502.",
    ],
    [
      "a page in HTML with 200",
      (_request, response) => response.end("<h1>Welcome</h1>"),
      "The answer is not that of this API.",
    ],
    ["other JSON", json(200, ["ready"]), "The answer is not that of this API."],
    ["liveness alone", json(200, { status: "live" }), "The answer is not that of this API."],
    [
      "a redirect, which is not followed",
      (_request, response) => response.writeHead(302, { Location: "/" }).end(),
      "It answered with HTTP status 302.",
    ],
    [
      "a reason of many lines",
      json(503, { detail: `a\n\u001b[31m${"b".repeat(400)}` }),
      `a \\u001b[31m${"b".repeat(288)}…`,
    ],
  ])("%s", async (_what, listener, detail) => {
    expect(await checked(listener)).toMatchObject({ outcome: "not-ready", detail });
  });

  test("no server, one that never answers, and one that never ends", async () => {
    expect(
      await probe({ baseUrl: "http://127.0.0.1:1/functions/v1", metricsSecret: secret, retryAfterMs: 1 }),
    ).toMatchObject({
      outcome: "unreachable",
      detail: "It could not be reached.",
      responseMs: undefined,
      metrics: undefined,
    });
    expect(await checked(() => undefined, { timeoutMs: 300 })).toMatchObject({
      outcome: "unreachable",
      detail: "There was no answer within 0.3 s.",
    });
    expect(
      await checked((_request, response) => void response.writeHead(200).write('{"status":'), { timeoutMs: 300 }),
    ).toMatchObject({
      outcome: "unreachable",
      detail: "There was no answer within 0.3 s.",
    });
  });

  test("an answer that is too long", async () => {
    const check = await checked((_request, response) => response.end("x".repeat(5_000_000)));
    expect(check).toMatchObject({ outcome: "unreachable", detail: "It could not be reached." });
  });

  test("that a failure did not last", async () => {
    let requests = 0;
    const check = await checked((request, response) =>
      json(++requests === 1 ? 503 : 200, { status: "ready" })(request, response),
    );
    expect([check.outcome, check.detail, requests]).toEqual(["ready", undefined, 2]);
  });
});

describe("/metrics", () => {
  const withMetrics =
    (metrics: RequestListener): RequestListener =>
    (request, response) =>
      (request.url?.endsWith("/metrics") ? metrics : json(200, { status: "ready" }))(request, response);

  test("is asked with the secret, and only there", async () => {
    const asked: unknown[] = [];
    const check = await checked(
      (request, response) => {
        asked.push([request.url, request.headers.authorization]);
        withMetrics((_request, answer) =>
          answer.end('# TYPE funding_data_age_seconds gauge\nfunding_data_age_seconds{dataset="grants"} 5\n'),
        )(request, response);
      },
      { metricsSecret: secret },
    );
    expect(check.metrics?.dataAges).toEqual(new Map([["grants", 5]]));
    expect(asked).toEqual([
      ["/functions/v1/health/ready", undefined],
      ["/functions/v1/metrics", `Bearer ${secret}`],
    ]);
  });

  test.each<[what: string, listener: RequestListener, problem: RegExp]>([
    ["a wrong secret", json(401, {}), /not that of the deployment/],
    ["a deployment without one", json(404, {}), /has no METRICS_SECRET/],
    ["a failure", json(503, {}), /HTTP status 503/],
    ["a page in HTML", (_request, response) => response.end("<h1>Hello</h1>"), /no metrics of this API/],
  ])("that cannot be read, by %s, leaves the check as it is", async (_what, listener, problem) => {
    const check = await checked(withMetrics(listener), { metricsSecret: secret });
    expect(check).toMatchObject({
      outcome: "ready",
      metrics: undefined,
      metricsProblem: expect.stringMatching(problem),
    });
  });

  test("never shows the secret in what is said", async () => {
    const check = await checked(json(503, { detail: `Authorization was Bearer ${secret}, ${secret}` }), {
      metricsSecret: secret,
    });
    expect(JSON.stringify(check)).not.toContain(secret);
  });
});
