/**
 * Whether a signature is the HMAC-SHA256 of the data. WebCrypto compares in constant time.
 */
export async function isHmac(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, data);
}

/** Whether any candidate is true. All are awaited, so that the time does not reveal which. */
export async function isAnyTrue(candidates: Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(candidates)).includes(true);
}
