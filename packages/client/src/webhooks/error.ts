/** A delivery is not what the service sent, or too old to be taken. Answer it with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}
