import { fromBase64, toBase64 } from "./base64.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** A new secret, in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. It is shown once. */
export function generateSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(secretBytes)));
}

/** The bytes that Standard Webhooks signs with. (`X-Service-Signature` is keyed with the secret's whole text.) */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  return fromBase64(secret.slice(prefix.length));
}
