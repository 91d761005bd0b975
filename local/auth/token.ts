import { createHash, createHmac, randomBytes } from "node:crypto";

/** Generates a bearer token: 256 random bits, safe in a URL. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Derives the token that follows another one: always the same, and not computable without the key. */
export function deriveToken(token: string, key: string): string {
  return createHmac("sha256", key).update(token).digest("base64url");
}

/** SHA-256 of a token, in hexadecimal: the form that is stored. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
