import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../../../dashboard/src/session/auth-client.ts";
import { type Session, startSession } from "../../../dashboard/src/session/session.ts";
import type { LinkInAddress } from "../../../dashboard/src/session/sign-in-link.ts";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";

const config = { supabase_url: "https://project.example", supabase_key: "key", sign_in: "mail" } as DashboardConfig;
const user = { id: "8f14e45f-ceea-467f-a0e6-f3b0c44298f0", email: "ada@people.example" };
const signedIn = { status: "signed-in", userId: user.id, email: user.email };
const storageKey = "funding-dashboard-session";

let stored: Map<string, string>;
let listeners: Map<string, (event: object) => void>;
/** Status of the sign-in service's answers. */
let status: number;

beforeEach(() => {
  vi.useFakeTimers();
  // A session whose access token has run out.
  const session = { access_token: "old", refresh_token: "refresh", expires_at: Date.now() / 1000 - 60, user };
  stored = new Map([[storageKey, JSON.stringify(session)]]);
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  listeners = new Map();
  vi.stubGlobal("addEventListener", (name: string, listener: (event: object) => void) => listeners.set(name, listener));
  vi.stubGlobal("fetch", async () =>
    Response.json(
      status === 200
        ? { access_token: "new", refresh_token: "next", token_type: "bearer", expires_in: 3_600, user }
        : { error_code: "refresh_token_not_found", msg: "Invalid Refresh Token" },
      { status },
    ),
  );
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Loads the page anew, and waits until the sign-in service has been tried for long enough. */
async function reload(link?: LinkInAddress): Promise<Session> {
  const session = startSession(config, link);
  await vi.advanceTimersByTimeAsync(40_000);
  return session;
}

test("while the sign-in service is down, a reload signs nobody out, and another try signs in", async () => {
  status = 503;
  const session = await reload();
  expect(session.state()).toEqual({ status: "unreachable", isBusy: false });
  expect(stored.has(storageKey)).toBe(true);
  status = 200;
  const retried = session.retry();
  expect(session.state()).toEqual({ status: "unreachable", isBusy: true });
  await retried;
  expect(session.state()).toEqual(signedIn);
});

test("when the sign-in service is there again, the page signs in by itself", async () => {
  status = 503;
  const session = await reload();
  status = 200;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(session.state()).toEqual(signedIn);
});

test("a link that was opened meanwhile waits", async () => {
  status = 503;
  const session = await reload({ tokenHash: "hash", request: null });
  expect(session.state()).toEqual({ status: "unreachable", isBusy: false });
  status = 200;
  await session.retry();
  expect(session.state()).toMatchObject({ status: "link-opened", current: { userId: user.id } });
});

test("a session that the sign-in service refuses has ended", async () => {
  status = 400;
  const session = await reload();
  expect(session.state()).toEqual({ status: "signed-out" });
  expect(stored.has(storageKey)).toBe(false);
});

test("the code of the sign-in is not loaded before there is a session, which another tab may begin", async () => {
  const kept = stored.get(storageKey) ?? "";
  stored.clear();
  const session = await reload();
  expect(session.state()).toEqual({ status: "signed-out" });
  expect(await session.accessToken()).toBeUndefined();
  // A client of the sign-in would have looked into the storage again each half minute.
  expect(vi.getTimerCount()).toBe(0);
  status = 200;
  stored.set(storageKey, kept);
  listeners.get("storage")?.({ key: storageKey });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(session.state()).toEqual(signedIn);
});

test("a link's question stays while another tab signs in", async () => {
  const kept = stored.get(storageKey) ?? "";
  stored.clear();
  const session = await reload({ tokenHash: "hash", request: null });
  expect(session.state()).toEqual({ status: "link-opened", isBusy: false });
  status = 200;
  stored.set(storageKey, kept);
  listeners.get("storage")?.({ key: storageKey });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(session.state()).toMatchObject({ status: "link-opened", current: { userId: user.id } });
});
