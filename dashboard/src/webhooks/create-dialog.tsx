import { type IssuedWebhook, useCreateWebhook } from "../api/webhooks.ts";
import type { WebhookPrefill } from "./draft.ts";
import { WebhookForm } from "./form.tsx";

/** Creates a webhook. The mutation is the dialog's own, so that another form begins without its errors. */
export function CreateWebhookDialog({
  prefill,
  onClose,
  onIssued,
}: {
  /** Initial state of the form. */
  prefill: WebhookPrefill | undefined;
  onClose: () => void;
  onIssued: (issued: IssuedWebhook) => void;
}) {
  const create = useCreateWebhook();
  return (
    <WebhookForm
      title="Add a webhook"
      submitName="Add webhook"
      prefill={prefill}
      saving={create}
      onSave={(draft) => void create.mutateAsync(draft).then(onIssued, () => undefined)}
      onClose={onClose}
    />
  );
}
