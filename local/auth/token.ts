import { createHash, createHmac, randomBytes } from "node:crypto";

/** A secret that its holder proves something with: 256 random bits, safe in a URL. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The secret that follows another one: the same each time, and unknown to those who lack the key. */
export function derivedToken(token: string, key: string): string {
  return createHmac("sha256", key).update(token).digest("base64url");
}

/** What is stored of a token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
