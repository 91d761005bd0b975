import { useState } from "react";
import { useUpdateWebhook, type Webhook } from "../api/webhooks.ts";
import { changesOf, type WebhookDraft } from "./draft.ts";
import { WebhookForm } from "./form.tsx";

/** Changes a webhook. The mutation is the dialog's own, so that another form begins without its errors. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  // As it was when the form opened: what somebody else changes meanwhile is no change of this form.
  const [original] = useState(webhook);
  const update = useUpdateWebhook(webhook.id);
  const save = (draft: WebhookDraft) => {
    const changes = changesOf(original, draft);
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate(changes, { onSuccess: onClose });
  };
  return (
    <WebhookForm
      title="Edit the webhook"
      submitName="Save"
      webhook={original}
      saving={update}
      onSave={save}
      onClose={onClose}
    />
  );
}
