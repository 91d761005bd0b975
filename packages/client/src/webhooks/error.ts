/** A delivery was not sent by the service, was changed, or is too old. Answer it with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}
