/** A request's headers: Fetch's `Headers`, also of another implementation (undici, node-fetch), or Node's `request.headers`. */
export type WebhookHeaders = HeaderReader | Record<string, string | string[] | undefined>;

interface HeaderReader {
  get(name: string): string | null | undefined;
}

/** A delivery as it arrived. */
export interface WebhookSource {
  /** The raw body as bytes or text, before it is parsed: the signature covers these bytes. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** The endpoint's secret, `whsec_...`. During a rotation, also the old one. */
  secret: string | readonly string[];
}

export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isReader(headers)) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return Array.isArray(value) ? value.join(",") : value;
}

/** A record has no functions, whatever its headers are called. */
function isReader(headers: WebhookHeaders): headers is HeaderReader {
  return typeof headers.get === "function";
}

export function toBytes(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

export function toSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("a webhook's secret must not be empty");
  return secrets;
}
