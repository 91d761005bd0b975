import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "../../database/accounts/keys.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { demoEmail } from "../../local/demo/keys.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, startServer } from "./server-process.ts";

let folder: string;
let data: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-client-address-"));
  data = await copyDemoFolder(join(folder, "data"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a server, and asks it with a new key for some addresses. @returns the status, and what a refusal says, for each list of headers. */
async function ask(
  variables: Record<string, string>,
  addresses: string[],
  requests: Record<string, string>[],
): Promise<[status: number, detail: string | undefined][]> {
  const server = await startServer({ DATA_DIR: data, PORT: String(await freePort()), ...variables });
  try {
    const connection = await connectPostgres(server.ready.database_url);
    const { key } = await createKey(connection, demoEmail("developer"), "limited", undefined, { addresses });
    await connection.close();
    const answers: [number, string | undefined][] = [];
    for (const headers of requests) {
      const response = await fetch(`${server.ready.base_url}/funders-api?limit=1`, {
        headers: { ...headers, authorization: `Bearer ${key}` },
      });
      answers.push([response.status, ((await response.json()) as { detail?: string }).detail]);
    }
    return answers;
  } finally {
    await server.end("SIGTERM");
  }
}

const forged = { "x-real-ip": "203.0.113.7", "x-forwarded-for": "203.0.113.7", "x-client-address": "203.0.113.7" };
const refusal = (address: string) => [
  403,
  `This key is for requests from 203.0.113.0/24 alone, and this one comes from ${address}. Use another key, or change its limits.`,
];

test("the client is whoever connects, whatever it says in headers", async () => {
  expect(await ask({}, ["203.0.113.0/24"], [{}, forged])).toEqual([refusal("127.0.0.1"), refusal("127.0.0.1")]);
});

test("with CLIENT_ADDRESS_HEADER, the client is the address that is last in that header", async () => {
  const variables = { CLIENT_ADDRESS_HEADER: "X-Real-IP" };
  const answers = await ask(
    variables,
    ["203.0.113.0/24"],
    [
      { "x-real-ip": "203.0.113.7" },
      { ...forged, "x-real-ip": "203.0.113.7, 198.51.100.7" },
      { "x-forwarded-for": "203.0.113.7" },
    ],
  );
  expect(answers.slice(0, 2)).toEqual([[200, undefined], refusal("198.51.100.7")]);
  const [status, detail] = answers[2] ?? [];
  expect([status, detail]).toEqual([403, expect.stringContaining("this server does not know those of its clients")]);
});
