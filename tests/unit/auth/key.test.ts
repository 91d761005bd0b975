import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hasBearerSecret, readBearerToken } from "../../../shared/auth/credential.ts";
import { displayKey, generateKey, hashKey, isWellFormedKey } from "../../../shared/auth/key.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The checksum by another implementation of CRC-32. */
function checksumOf(text: string): string {
  let value = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = (base62[value % 62] ?? "") + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

describe("a key", () => {
  const keys = Array.from({ length: 300 }, generateKey);

  test("is fo_live_, 32 random characters, and the CRC-32 of both in base62", () => {
    for (const key of keys) {
      expect(key).toMatch(/^fo_live_[0-9A-Za-z]{38}$/);
      expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
      expect(isWellFormedKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("has each of the 62 characters equally often", () => {
    const counts = new Map([...base62].map((character) => [character, 0]));
    const drawn = Array.from({ length: 2_000 }, () => generateKey().slice(8, 40)).join("");
    for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1,032 expected; six standard deviations. Without rejection, eight of them would come a fifth more often than that.
    const expected = drawn.length / 62;
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });

  test("with any one character changed, or another added or missing, is not well-formed", () => {
    for (const key of keys.slice(0, 20)) {
      for (let place = 0; place < key.length; place++) {
        const other = key[place] === "a" ? "b" : "a";
        expect(isWellFormedKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
      }
      for (const wrong of [`${key}a`, `a${key}`, key.slice(0, -1), `${key}\n`, ` ${key}`, "", "fo_live_"]) {
        expect(isWellFormedKey(wrong)).toBe(false);
      }
    }
  });

  test("with a checksum that begins with zeros is well-formed", () => {
    // Found by trying: most checksums have none.
    const random = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(32, "x")).find((text) =>
      checksumOf(`fo_live_${text}`).startsWith("00"),
    );
    const known = `fo_live_${random}`;
    expect(random).toBeDefined();
    expect(isWellFormedKey(known + checksumOf(known))).toBe(true);
  });

  test("is stored as its SHA-256, and shown by its ends", async () => {
    const key = `fo_live_${"abcd".repeat(8)}`;
    const whole = key + checksumOf(key);
    expect(await hashKey(whole)).toBe(createHash("sha256").update(whole).digest("hex"));
    expect(displayKey(whole)).toBe(`fo_live_abcd…${whole.slice(-4)}`);
  });
});

describe("a bearer token", () => {
  const request = (authorization?: string) =>
    new Request("http://localhost/", authorization === undefined ? {} : { headers: { authorization } });

  test.each([
    ["Bearer token", "token"],
    ["bearer token", "token"],
    ["BEARER   token", "token"],
    ["Bearer a.b-c_d=", "a.b-c_d="],
    ["Bearer", undefined],
    ["Bearertoken", undefined],
    ["Bearer two tokens", undefined],
    ["Basic token", undefined],
    ["Basic Bearer token", undefined],
    [undefined, undefined],
  ])("of %j is %j", (header, token) => {
    expect(readBearerToken(request(header))).toBe(token);
  });

  test("is the operator's secret only as a whole", async () => {
    const secret = "0123456789abcdef";
    expect(await hasBearerSecret(request(`Bearer ${secret}`), secret)).toBe(true);
    for (const wrong of ["Bearer 0123456789abcdeF", "Bearer 0123456789abcde", `Bearer ${secret}0`, secret, undefined]) {
      expect(await hasBearerSecret(request(wrong), secret)).toBe(false);
    }
  });
});
