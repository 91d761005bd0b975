import { describe, expect, test } from "vitest";
import { forgetLinkRequest, isOwnRequest, rememberLinkRequest } from "../../../dashboard/src/session/link-request.ts";
import { readSignInLink } from "../../../dashboard/src/session/sign-in-link.ts";

const read = (address: string) => readSignInLink(new URL(address, "https://page.example"));

test("a link has its token in the fragment, and the request that it was mailed for in the query", () => {
  expect(read("/#token_hash=abc&type=email")).toEqual({ tokenHash: "abc", request: null });
  expect(read("/?request=r-1#token_hash=abc&type=email")).toEqual({ tokenHash: "abc", request: "r-1" });
});

test.each([
  "/#error=access_denied&error_description=expired",
  "/#access_token=x&refresh_token=y",
  "/?request=r#access_token=x",
])("%s is a link that does not sign in", (address) => {
  expect(read(address)).toBe("refused");
});

test.each(["/", "/keys?request=r-1", "/?token_hash=abc", "/#main"])("%s is no link", (address) => {
  expect(read(address)).toBeUndefined();
});

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe("a browser knows a link that it asked for", () => {
  const hourMs = 3_600_000;

  test("for an hour, and no other", () => {
    const store = memory();
    const request = rememberLinkRequest(store, 1_000);
    expect(isOwnRequest(store, request, 1_000 + hourMs - 1)).toBe(true);
    expect(isOwnRequest(store, request, 1_000 + hourMs)).toBe(false);
    for (const other of [null, "", "undefined", crypto.randomUUID()])
      expect(isOwnRequest(store, other, 1_000)).toBe(false);
  });

  test("but the last alone, and none that it has forgotten", () => {
    const store = memory();
    const [first, second] = [rememberLinkRequest(store, 0), rememberLinkRequest(store, 0)];
    expect([isOwnRequest(store, first, 0), isOwnRequest(store, second, 0)]).toEqual([false, true]);
    forgetLinkRequest(store);
    expect(isOwnRequest(store, second, 0)).toBe(false);
  });

  test("and none where it never asked, or what it keeps is not its own", () => {
    const store = memory();
    for (const request of [null, "", "null", "undefined"]) expect(isOwnRequest(store, request, 0)).toBe(false);
    const request = rememberLinkRequest(store, 0);
    const [key = ""] = store.items.keys();
    for (const text of ["", "null", "[]", "{}", "broken", `{"value":null,"expires_at":9}`, `{"value":"${request}"}`]) {
      store.items.set(key, text);
      for (const tried of [null, request]) expect(isOwnRequest(store, tried, 0), text).toBe(false);
    }
  });
});
