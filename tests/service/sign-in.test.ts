import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSignInLink } from "../../local/auth/links.ts";
import { openTestService, type TestService, testOrigin } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** A page's client of supabase-js, with a storage of its own, whose network is the embedded stack. */
function newClient() {
  return createClient(testOrigin, "embedded", {
    auth: { persistSession: true, storage: memory(), autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: class {} as unknown as typeof WebSocket },
    global: { fetch: (input, init) => service.send(new Request(input, init)) },
  });
}

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

async function newLink(email = `${crypto.randomUUID()}@sign-in.example`): Promise<string> {
  const link = await createSignInLink(service.connection, email, `${testOrigin}/`);
  return tokenIn(link);
}

const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "";

const signIn = async (client: ReturnType<typeof newClient>, token_hash: string) => {
  const { data, error } = await client.auth.verifyOtp({ token_hash, type: "email" });
  if (error !== null) throw error;
  if (data.session === null) throw new Error("there is no session");
  return data.session;
};

const account = (token: string) => service.fetch("/account-api", { headers: { authorization: `Bearer ${token}` } });

describe("a sign-in link", () => {
  test("signs in once: supabase-js gets a session that the account API takes", async () => {
    const client = newClient();
    const session = await signIn(client, await newLink("Ada@sign-in.example"));
    expect(session.user).toMatchObject({ email: "ada@sign-in.example", role: "authenticated" });
    const response = await account(session.access_token);
    expect([response.status, await response.json()]).toMatchObject([200, { email: "ada@sign-in.example" }]);
    expect((await client.auth.getUser()).data.user?.id).toBe(session.user.id);
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ sub: session.user.id, aud: "authenticated" });
  });

  test("leads to the account that is there for its address", async () => {
    const { email } = await service.newKey("developer");
    const session = await signIn(newClient(), await newLink(email));
    expect(await (await account(session.access_token)).json()).toMatchObject({ email, tier: { name: "developer" } });
  });

  test("keeps its token out of what a browser sends: it is in the fragment", async () => {
    const link = new URL(await createSignInLink(service.connection, "fragment@sign-in.example", `${testOrigin}/`));
    expect(link.hash).toContain("token_hash=");
    expect(link.search).toBe("");
  });

  test("is refused the second time, and says so", async () => {
    const token = await newLink();
    await signIn(newClient(), token);
    const { error } = await newClient().auth.verifyOtp({ token_hash: token, type: "email" });
    expect(error).toMatchObject({ status: 403, code: "otp_expired" });
    expect(error?.message).toMatch(/used already.*npm run account -- link/);
  });

  test("signs in one of two who use it at once", async () => {
    const token = await newLink();
    const tries = await Promise.allSettled([signIn(newClient(), token), signIn(newClient(), token)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is refused when it has expired, and says so", async () => {
    const token = await newLink("late@sign-in.example");
    await service.connection.query("update auth.sign_in_links set expires_at = now() where used_at is null");
    await expect(signIn(newClient(), token)).rejects.toThrow(/has expired/);
  });

  test("that was never issued is refused", async () => {
    await expect(signIn(newClient(), "AAAA")).rejects.toThrow(/not valid/);
  });

  test("is stored by its hash alone", async () => {
    const token = await newLink();
    const [row] = await service.connection.query<{ found: boolean }>(
      "select exists (select from auth.sign_in_links where token_hash = $1) as found",
      [token],
    );
    expect(row?.found).toBe(false);
  });
});

describe("a session", () => {
  test("is refreshed, and each refresh token works once", async () => {
    const client = newClient();
    const first = await signIn(client, await newLink());
    const { data } = await client.auth.refreshSession();
    expect(data.session?.refresh_token).not.toBe(first.refresh_token);
    expect((await account(data.session?.access_token ?? "")).status).toBe(200);
  });

  test("survives two tabs that refresh at once, with one chain of tokens", async () => {
    const { refresh_token } = await signIn(newClient(), await newLink());
    const tabs = await Promise.all([newClient(), newClient()].map((tab) => tab.auth.refreshSession({ refresh_token })));
    expect(new Set(tabs.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
    for (const { data, error } of tabs) {
      expect(error).toBeNull();
      expect((await account(data.session?.access_token ?? "")).status).toBe(200);
    }
  });

  test("ends when a refresh token comes again later: somebody else has it", async () => {
    const client = newClient();
    const { refresh_token } = await signIn(client, await newLink());
    const { data } = await client.auth.refreshSession();
    await service.connection.query("update auth.session_tokens set used_at = used_at - interval '11 seconds'");
    const again = await newClient().auth.refreshSession({ refresh_token });
    expect(again.error).toMatchObject({ status: 400, code: "refresh_token_already_used" });
    expect((await account(data.session?.access_token ?? "")).status).toBe(401);
    expect((await client.auth.refreshSession()).error).toMatchObject({ code: "refresh_token_not_found" });
  });

  test("that is signed out has neither access nor refresh", async () => {
    const client = newClient();
    const { access_token, refresh_token } = await signIn(client, await newLink());
    expect((await client.auth.signOut()).error).toBeNull();
    expect((await account(access_token)).status).toBe(401);
    expect((await newClient().auth.refreshSession({ refresh_token })).error).toMatchObject({
      code: "refresh_token_not_found",
    });
    const user = await newClient().auth.getUser(access_token);
    expect(user.error?.name).toBe("AuthSessionMissingError");
  });

  test.each([
    { scope: "local", ended: [401, 200] },
    { scope: "global", ended: [401, 401] },
    { scope: "others", ended: [200, 401] },
  ] as const)("signed out with scope $scope leaves what that means", async ({ scope, ended }) => {
    const email = `${scope}@sign-in.example`;
    const [here, there] = [newClient(), newClient()];
    const tokens = [
      (await signIn(here, await newLink(email))).access_token,
      (await signIn(there, await newLink(email))).access_token,
    ];
    await here.auth.signOut({ scope });
    expect(await Promise.all(tokens.map(async (token) => (await account(token)).status))).toEqual(ended);
  });

  test("that nobody has used for 400 days is deleted at a later sign-in, with its tokens; an old one in use stays", async () => {
    const opened = async () => {
      const { access_token } = await signIn(newClient(), await newLink());
      return String(decodeJwt(access_token).session_id);
    };
    const [unused, used] = [await opened(), await opened()];
    const { query } = service.connection;
    await query("update auth.sessions set created_at = now() - interval '401 days' where id = any ($1::uuid[])", [
      [unused, used],
    ]);
    await query("update auth.session_tokens set created_at = now() - interval '401 days' where session_id = $1", [
      unused,
    ]);
    const next = await opened();
    const left = await query<{ id: string }>("select id from auth.sessions where id = any ($1::uuid[])", [
      [unused, used, next],
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual([used, next].sort());
    expect(await query("select from auth.session_tokens where session_id = $1", [unused])).toEqual([]);
  });

  test("has an access token that is good for a quarter of an hour", async () => {
    const { expires_in, access_token } = await signIn(newClient(), await newLink());
    const claims = JSON.parse(atob(access_token.split(".")[1] ?? "")) as { exp: number; iat: number };
    expect([expires_in, claims.exp - claims.iat]).toEqual([900, 900]);
  });
});

describe("requests that the embedded sign-in does not serve", () => {
  test("sending mail is refused with what to do instead", async () => {
    const { error } = await newClient().auth.signInWithOtp({ email: "ada@sign-in.example" });
    expect(error).toMatchObject({ status: 422, code: "email_provider_disabled" });
    expect(error?.message).toContain("npm run account -- link");
  });

  test("other paths are 404, and wrong bodies 400, in words that supabase-js reads", async () => {
    const { error } = await newClient().auth.signInWithPassword({ email: "a@b.example", password: "x" });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
    const response = await service.send(new Request(`${testOrigin}/auth/v1/admin/users`));
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  test.each(["/verify", "/token?grant_type=refresh_token"])(
    "reading a body without end: %s stops after some KiB and answers 413",
    async (path) => {
      const part = new TextEncoder().encode(" ".repeat(4096));
      let sent = 0;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          sent += part.byteLength;
          controller.enqueue(part);
        },
      });
      const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
      const response = await service.send(new Request(`${testOrigin}/auth/v1${path}`, init as RequestInit));
      expect([response.status, await response.json()]).toMatchObject([413, { code: "bad_json" }]);
      expect(sent).toBeLessThan(64 * 1024);
    },
  );

  test("a body that a page of another origin could send without a preflight is not read", async () => {
    const token_hash = await newLink();
    const body = JSON.stringify({ token_hash, type: "email" });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const init = { method: "POST", headers: { "content-type": type }, body };
      expect((await service.send(new Request(`${testOrigin}/auth/v1/verify`, init))).status).toBe(415);
    }
    await signIn(newClient(), token_hash);
  });

  test("the public keys have no private part", async () => {
    const response = await service.send(new Request(`${testOrigin}/auth/v1/.well-known/jwks.json`));
    const { keys } = (await response.json()) as { keys: Record<string, string>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  });
});
