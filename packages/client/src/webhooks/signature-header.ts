import { WebhookVerificationError } from "./error.ts";
import { parseEvent, type WebhookEvent } from "./event.ts";
import { isAnyTrue, isHmac } from "./hmac.ts";
import { readHeader, toBytes, toSecrets, type WebhookSource } from "./source.ts";

/**
 * Verifies `X-Service-Signature`: `sha256=` and the hexadecimal HMAC-SHA256 of the body, keyed with the secret's text.
 * The signature does not cover the time of sending, so a recorded delivery can be replayed: prefer `verifyWebhook`.
 *
 * @param headerName name of the header, if the operator changed it.
 * @throws WebhookVerificationError when the signature is missing or wrong.
 */
export async function verifySignatureHeader(
  { body, headers, secret }: WebhookSource,
  headerName = "X-Service-Signature",
): Promise<WebhookEvent> {
  const value = readHeader(headers, headerName);
  if (value === undefined) throw new WebhookVerificationError(`the header ${headerName} is missing`);
  const digits = /^sha256=([0-9a-f]{64})$/.exec(value)?.[1];
  if (digits === undefined) throw new WebhookVerificationError(`the header ${headerName} is not sha256= and 64 digits`);

  const signature = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const bytes = toBytes(body);
  const candidates = toSecrets(secret).map((key) => isHmac(toBytes(key), signature, bytes));
  if (!(await isAnyTrue(candidates))) throw new WebhookVerificationError("the signature is not of this body");
  return parseEvent(bytes);
}
