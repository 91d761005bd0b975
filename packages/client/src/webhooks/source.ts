/** A request's headers, as Fetch's `Headers` or as Node's `request.headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** A delivery as it arrived. */
export interface WebhookSource {
  /** The body's bytes, or their text, before anything parsed it: the signature is of these. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** The endpoint's secret, `whsec_...`; during a rotation the old one too. */
  secret: string | readonly string[];
}

export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return Array.isArray(value) ? value.join(",") : value;
}

export function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("a webhook's secret must not be empty");
  return secrets;
}
