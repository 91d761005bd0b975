import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let environment: { DATA_DIR: string; PORT: string; AUTH_ISSUER: string };
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-sign-in-"));
  environment = {
    DATA_DIR: await copyDemoFolder(join(folder, "data")),
    PORT: String(await freePort()),
    // Of a deployment that somebody works on in the same shell.
    AUTH_ISSUER: "https://elsewhere.example/auth/v1",
  };
  server = await startServer(environment);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

const origin = () => new URL(server.ready.base_url).origin;
const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "";

/** A page's client, made of what the server tells the page. */
async function newClient() {
  const config = (await (await fetch(`${origin()}/config.json`)).json()) as Record<string, string>;
  return createClient(config.supabase_url ?? "", config.supabase_key ?? "", {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: class {} as unknown as typeof WebSocket },
  });
}

async function signIn(link: string) {
  const client = await newClient();
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenIn(link), type: "email" });
  return { client, error, token: data.session?.access_token ?? "" };
}

const account = async (token: string) => {
  const response = await fetch(`${server.ready.base_url}/account-api`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("the printed link signs in to the demo account once, until the sign-out", async () => {
  expect(server.ready.sign_in_link).toMatch(new RegExp(`^${origin()}/#token_hash=[\\w-]{43}&type=email$`));
  const { client, token } = await signIn(server.ready.sign_in_link);
  expect(await account(token)).toMatchObject({
    status: 200,
    body: { email: "developer@demo.example", tier: { name: "developer" }, keys: { active: 1 } },
  });
  expect((await signIn(server.ready.sign_in_link)).error?.message).toContain("used already");

  await client.auth.signOut();
  expect((await account(token)).status).toBe(401);
});

test("npm run account -- link prints another one while the server runs, for any address", async () => {
  const { output, exit } = run(environment, ["npm", "run", "--silent", "account", "--", "link", "free@demo.example"]);
  expect(await exit).toBe(0);
  const { token } = await signIn(output.stdout.trim());
  expect((await account(token)).body).toMatchObject({ email: "free@demo.example", api_access: false });
});

test("a session outlives a restart, since the key is kept, for its owner alone", async () => {
  const { token } = await signIn((await linkOf("developer@demo.example")).trim());
  await server.end("SIGTERM");
  server = await startServer(environment);
  expect((await account(token)).status).toBe(200);
  expect((await stat(join(environment.DATA_DIR, "auth-key.json"))).mode & 0o777).toBe(0o600);
});

test("without a server there is no link", async () => {
  const { output, exit } = run({ ...environment, DATA_DIR: join(folder, "other") }, [
    ...["npm", "run", "--silent", "account", "--", "link"],
  ]);
  expect(await exit).toBe(2);
  expect(output.stderr).toContain("No server runs on this data folder");
});

async function linkOf(email: string): Promise<string> {
  const { output, exit } = run(environment, ["npm", "run", "--silent", "account", "--", "link", email]);
  await exit;
  return output.stdout;
}
