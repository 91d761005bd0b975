/**
 * Whether a request shows a secret of the operator's in `Authorization: Bearer SECRET`. What was shown takes the same
 * time to compare, however much of it is right.
 */
export async function showsSecret(request: Request, secret: string): Promise<boolean> {
  const shown = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return shown !== undefined && isSame(shown, secret);
}

/** Compares digests, all of them, which takes the same time whatever they are of. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([digest(one), digest(other)]);
  return first.reduce((difference, byte, place) => difference | (byte ^ (second[place] ?? 0)), 0) === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
