import { WebhookVerificationError } from "./error.ts";
import { eventIn, type WebhookEvent } from "./event.ts";
import { anyHolds, isHmac } from "./hmac.ts";
import { bytesOf, headerOf, secretsOf, type WebhookSource } from "./source.ts";

/**
 * Verifies `X-Service-Signature`: `sha256=` and the hexadecimal HMAC-SHA256 of the body, keyed with the secret's text.
 * It says nothing of when a delivery was sent, so somebody who recorded one can send it again: prefer `verifyWebhook`.
 *
 * @param headerName where the operator named the header otherwise.
 * @throws WebhookVerificationError when the signature is missing or wrong.
 */
export async function verifySignatureHeader(
  { body, headers, secret }: WebhookSource,
  headerName = "X-Service-Signature",
): Promise<WebhookEvent> {
  const value = headerOf(headers, headerName);
  if (value === undefined) throw new WebhookVerificationError(`the header ${headerName} is missing`);
  const digits = /^sha256=([0-9a-f]{64})$/.exec(value)?.[1];
  if (digits === undefined) throw new WebhookVerificationError(`the header ${headerName} is not sha256= and 64 digits`);

  const signature = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const bytes = bytesOf(body);
  const candidates = secretsOf(secret).map((key) => isHmac(bytesOf(key), signature, bytes));
  if (!(await anyHolds(candidates))) throw new WebhookVerificationError("the signature is not of this body");
  return eventIn(bytes);
}
