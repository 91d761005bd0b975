/**
 * Whether a signature is the HMAC-SHA256 of the data. WebCrypto compares, and takes the same time wherever the first
 * difference is.
 */
export async function isHmac(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, data);
}

/** Whether any of the candidates is true of a thing, having looked at all of them. */
export async function anyHolds(candidates: Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(candidates)).includes(true);
}
