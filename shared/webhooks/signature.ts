import { toBase64 } from "./base64.ts";
import { standardKey } from "./secret.ts";

/** What is signed. */
export interface Message {
  /** The event's id. */
  id: string;
  /** When this attempt is sent, in Unix seconds. */
  timestamp: number;
  /** The raw body. */
  body: string;
}

/**
 * The headers that let a receiver know who sent a body, and that nobody changed it.
 *
 * `signatureHeader` holds `sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the secret's text. The
 * headers of Standard Webhooks (standardwebhooks.com) sign the id and the time as well, which stops replays.
 *
 * @param secrets the current one, then those before whose rotation's overlap lasts, the latest first. Standard Webhooks'
 *   list has room for all; `signatureHeader` has not, and stays with the first of them until its overlap ends, so that a
 *   receiver that does nothing goes on as long as it was promised.
 */
export async function signatureHeaders(
  message: Message,
  secrets: readonly [string, ...string[]],
  signatureHeader: string,
): Promise<Record<string, string>> {
  const digest = await hmac(new TextEncoder().encode(secrets.at(-1)), message.body);
  const signed = `${message.id}.${message.timestamp}.${message.body}`;
  const standard = await Promise.all(secrets.map((secret) => hmac(standardKey(secret), signed)));
  return {
    [signatureHeader]: `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`,
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": standard.map((bytes) => `v1,${toBase64(bytes)}`).join(" "),
  };
}

async function hmac(key: Uint8Array<ArrayBuffer>, body: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(body)));
}
