import { createHash, randomBytes } from "node:crypto";

/** A secret that its holder proves something with: 256 random bits, safe in a URL. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
