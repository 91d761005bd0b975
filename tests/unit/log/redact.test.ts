import { describe, expect, test } from "vitest";
import { generateKey } from "../../../shared/auth/key.ts";
import { hasSecret, redact } from "../../../shared/log/redact.ts";
import { generateSecret } from "../../../shared/webhooks/secret-box.ts";

/** Secrets of made-up letters, put together here so that nothing which looks for secrets takes this file for a leak. */
const letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4";
const token = [btoa('{"alg":"ES256"}'), btoa('{"sub":"x"}'), letters].join(".");

test.each([
  ["an API key", generateKey()],
  ["an API key in capitals", generateKey().toUpperCase()],
  ["a secret address of a saved search", generateKey("fo_feed_")],
  ["a token that unsubscribes", generateKey("fo_mail_")],
  ["a webhook secret", generateSecret()],
  ["a webhook secret, percent-encoded", `whsec_a1B%2F${encodeURIComponent(letters)}%3D`],
  ["a secret key of Supabase", `sb_secret_${letters}`],
  ["a key of Stripe", `sk_live_${letters}`],
  ["a restricted key of Stripe", `rk_test_${letters}`],
  ["a key of OpenAI", `sk-proj-${letters}`],
  ["a JSON web token", token],
  ["what stands behind Bearer", `Bearer ${letters}`],
  ["a password in an address", `postgresql://postgres:${letters}@db.example.org:5432/postgres`],
])("%s is taken out", (_what, secret) => {
  const body = secret.replace(/^(Bearer |postgresql:\/\/postgres:)/, "").slice(10, 20);
  for (const text of [secret, `failed with ${secret}.`, `{"error":"at ?api_key=${secret}"}`, `/grants-api/${secret}`]) {
    expect(redact(text)).not.toContain(body);
    expect(hasSecret(text)).toBe(true);
  }
  expect(JSON.parse(redact(JSON.stringify({ error: secret, after: "stays" })))).toMatchObject({ after: "stays" });
});

test("what is left tells the kind of a secret, and the address of a password", () => {
  expect(redact(`sb_secret_${letters}`)).toBe("sb_secret_…");
  expect(redact(`no answer from postgresql://postgres:${letters}@db.example.org/postgres`)).toBe(
    "no answer from postgresql://postgres:…@db.example.org/postgres",
  );
});

describe("text that only resembles a secret stays", () => {
  test.each([
    "Send your API key in the header `Authorization: Bearer <API_KEY>`.",
    "The Authorization header must be `Bearer <API_KEY>`.",
    "fo_live_AbCd…wxyz",
    "5f0c1f6e-5b0e-4a53-a6b2-0a8c1f5b7d11",
    "risk-management-and-insurance, task-oriented",
    "https://example.org:8443/path/of/a/page",
    "2026-11-20T22:01:05.123Z",
  ])("%s", (text) => {
    expect(redact(text)).toBe(text);
    expect(hasSecret(text)).toBe(false);
  });
});
