import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { KeyHashes, readApiKey } from "../../../shared/auth/credential.ts";
import { generateKey } from "../../../shared/auth/key.ts";

const hashes = new KeyHashes();
const sent = (authorization?: string) =>
  readApiKey(
    new Request("http://localhost/", authorization === undefined ? {} : { headers: { authorization } }),
    hashes,
  );

test("a key's hash is its SHA-256, the first time and from memory", async () => {
  // More keys than are remembered, twice each, so that some are hashed again.
  const keys = Array.from({ length: 400 }, generateKey);
  for (const key of [...keys, ...keys, ...keys.slice(-10)]) {
    const value = createHash("sha256").update(key).digest("hex");
    expect(await sent(`Bearer ${key}`)).toEqual({ ok: true, value });
  }
});

test("the same key at the same moment has the same hash", async () => {
  const key = generateKey();
  const hashes = await Promise.all(Array.from({ length: 20 }, () => sent(`Bearer ${key}`)));
  for (const hash of hashes) expect(hash).toEqual(hashes[0]);
});

test.each([
  ["no header", undefined, /^Send your API key in the header/],
  ["another scheme", `Basic ${generateKey()}`, /^The Authorization header must be `Bearer/],
  ["nothing behind the scheme", "Bearer ", /^The Authorization header must be `Bearer/],
  [
    "a key whose last character is another",
    `Bearer ${generateKey().slice(0, -1)}_`,
    /^The API key is not valid: it is mistyped/,
  ],
  ["a key with something behind it", `Bearer ${generateKey()} x`, /^The Authorization header must be `Bearer/],
])("%s is refused, and told why", async (_, authorization, detail) => {
  expect(await sent(authorization)).toEqual({
    ok: false,
    problem: {
      name: "unauthorized",
      detail: expect.stringMatching(detail),
      headers: { "WWW-Authenticate": 'Bearer realm="funding"' },
    },
  });
});
