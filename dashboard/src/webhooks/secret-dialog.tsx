import type { IssuedWebhook } from "../api/webhooks.ts";
import { SecretDialog } from "../components/secret-dialog.tsx";

/** Shows a webhook's new secret once. */
export function WebhookSecretDialog({ issued, onClose }: { issued: IssuedWebhook; onClose: () => void }) {
  return (
    <SecretDialog
      title="The webhook’s secret"
      description="Deliveries are signed with this secret, and your program verifies them with it. Copy it now: it is not shown again."
      name="Secret"
      text={issued.secret}
      onClose={onClose}
    />
  );
}
