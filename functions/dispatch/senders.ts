import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import type { MailPlatform } from "./mail/platform.ts";
import type { WebhookPlatform } from "./webhook-platform.ts";

/** Dependencies of the dispatcher beside a `Runtime`. */
export interface Senders {
  /** Settings and transport of webhooks. */
  readonly webhooks: WebhookPlatform;
  /** Settings and transport of mails. */
  readonly mail: MailPlatform;
  /** Settings of embedding models; undefined where no record is embedded. */
  readonly embedding?: EmbeddingPlatform;
}
