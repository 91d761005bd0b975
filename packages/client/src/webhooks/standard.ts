import { WebhookVerificationError } from "./error.ts";
import { eventIn, type WebhookEvent } from "./event.ts";
import { anyHolds, isHmac } from "./hmac.ts";
import { bytesOf, headerOf, secretsOf, type WebhookHeaders, type WebhookSource } from "./source.ts";

export interface StandardWebhookOptions {
  /** How far the delivery's time may be from now, in seconds, either way. Default 300. */
  toleranceSeconds?: number;
  /** The time to compare with. Default now. */
  now?: Date;
}

const secretPrefix = "whsec_";

/**
 * Verifies a delivery by the headers of Standard Webhooks (standardwebhooks.com): the signature covers the event's id and
 * the time of sending, so an old delivery cannot be sent again.
 *
 * @throws WebhookVerificationError when a header is missing, the time is too far from now, or no signature is right.
 */
export async function verifyWebhook(
  { body, headers, secret }: WebhookSource,
  { toleranceSeconds = 300, now = new Date() }: StandardWebhookOptions = {},
): Promise<WebhookEvent> {
  const id = required(headers, "webhook-id");
  const timestamp = required(headers, "webhook-timestamp");
  const signatures = signaturesIn(required(headers, "webhook-signature"));

  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - sentAt) <= toleranceSeconds)) {
    throw new WebhookVerificationError("the delivery's time is too far from now");
  }

  const bytes = bytesOf(body);
  const signed = concatenated(bytesOf(`${id}.${timestamp}.`), bytes);
  const candidates = secretsOf(secret).flatMap((one) =>
    signatures.map((signature) => isHmac(keyOf(one), signature, signed)),
  );
  if (!(await anyHolds(candidates))) throw new WebhookVerificationError("no signature is of this delivery");
  return eventIn(bytes);
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined || value === "") throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}

/** The signatures of version 1; those of other versions are for other keys. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(" ").flatMap((entry) => {
    const [version, encoded = ""] = entry.split(",");
    const bytes = version === "v1" ? fromBase64(encoded) : undefined;
    return bytes === undefined ? [] : [bytes];
  });
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
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

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
