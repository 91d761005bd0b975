import { toBase64, toHex } from "../../shared/encoding.ts";
import { standardKey } from "../../shared/webhooks/secret-box.ts";

/** Signed message. */
export interface Message {
  /** The event's id. */
  id: string;
  /** Time of this attempt, in Unix seconds. */
  timestamp: number;
  /** The raw body. */
  body: string;
}

/**
 * Makes the headers by which a receiver verifies the sender and the body.
 *
 * `signatureHeader` holds `sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the secret's text. The
 * headers of Standard Webhooks (standardwebhooks.com) sign the id and the time as well, which stops replays.
 *
 * @param secrets the current one, then earlier ones whose overlap lasts, the latest first. Standard Webhooks' header lists
 *   a signature of each. `signatureHeader` has room for one: it uses the oldest until its overlap ends, so that a receiver
 *   that has not changed its secret keeps working for the promised time.
 */
export async function signatureHeaders(
  message: Message,
  secrets: readonly [string, ...string[]],
  signatureHeader: string,
): Promise<Record<string, string>> {
  const mac = await hmac(new TextEncoder().encode(secrets.at(-1)), message.body);
  const signed = `${message.id}.${message.timestamp}.${message.body}`;
  const standard = await Promise.all(secrets.map((secret) => hmac(standardKey(secret), signed)));
  return {
    [signatureHeader]: `sha256=${toHex(mac)}`,
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": standard.map((bytes) => `v1,${toBase64(bytes)}`).join(" "),
  };
}

async function hmac(key: Uint8Array<ArrayBuffer>, body: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(body)));
}
