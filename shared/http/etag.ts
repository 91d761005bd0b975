/** A strong entity tag of a response body: the start of its SHA-256. */
export async function entityTag(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const start = Array.from(new Uint8Array(digest, 0, 12), (byte) => byte.toString(16).padStart(2, "0"));
  return `"${start.join("")}"`;
}

/** Whether `If-None-Match` names the tag, by RFC 9110's weak comparison. */
export function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}
