export { WebhookVerificationError } from "./error.ts";
export type { WebhookEvent, WebhookEventName } from "./event.ts";
export { verifySignatureHeader } from "./signature-header.ts";
export type { WebhookHeaders, WebhookSource } from "./source.ts";
export { type StandardWebhookOptions, verifyWebhook } from "./standard.ts";
