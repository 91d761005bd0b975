import { WebhookVerificationError } from "./error.ts";
import { parseEvent, type WebhookEvent } from "./event.ts";
import { isAnyTrue, isHmac } from "./hmac.ts";
import { readHeader, toBytes, toSecrets, type WebhookHeaders, type WebhookSource } from "./source.ts";

export interface StandardWebhookOptions {
  /** Maximum difference between the delivery's time and now, in seconds, in both directions. Default 300. */
  toleranceSeconds?: number;
  /** Time to compare with. Default: the present. */
  now?: Date;
}

const secretPrefix = "whsec_";

/**
 * Verifies a delivery by the headers of Standard Webhooks (standardwebhooks.com): the signature covers the event's id and
 * the time of sending, so an old delivery cannot be replayed.
 *
 * @throws WebhookVerificationError when a header is missing, the time is too far from now, or no signature is right.
 */
export async function verifyWebhook(
  { body, headers, secret }: WebhookSource,
  { toleranceSeconds = 300, now = new Date() }: StandardWebhookOptions = {},
): Promise<WebhookEvent> {
  const id = requireHeader(headers, "webhook-id");
  const timestamp = requireHeader(headers, "webhook-timestamp");
  const signatures = parseSignatures(requireHeader(headers, "webhook-signature"));

  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - sentAt) <= toleranceSeconds)) {
    throw new WebhookVerificationError("the delivery's time is too far from now");
  }

  const bytes = toBytes(body);
  const signed = concatenate(toBytes(`${id}.${timestamp}.`), bytes);
  const candidates = toSecrets(secret).flatMap((one) =>
    signatures.map((signature) => isHmac(toKey(one), signature, signed)),
  );
  if (!(await isAnyTrue(candidates))) throw new WebhookVerificationError("no signature is of this delivery");
  return parseEvent(bytes);
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = readHeader(headers, name);
  if (value === undefined || value === "") throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}

/** Parses the signatures of version 1. Those of other versions are for other keys. */
function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(" ").flatMap((entry) => {
    const [version, encoded = ""] = entry.split(",");
    const bytes = version === "v1" ? fromBase64(encoded) : undefined;
    return bytes === undefined ? [] : [bytes];
  });
}

function toKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret);
  if (key === undefined) throw new TypeError("a webhook's secret is whsec_ and base64");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
