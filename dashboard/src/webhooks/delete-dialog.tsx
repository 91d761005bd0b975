import { useDeleteWebhook, type Webhook } from "../api/webhooks.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";

/** Deletes a webhook, after a confirmation. */
export function DeleteWebhookDialog({
  webhook,
  onClose,
  onDeleted,
}: {
  webhook: Webhook;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const remove = useDeleteWebhook(webhook.id);
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      description={
        <>
          <code>{webhook.url}</code> will no longer be called, and its deliveries are deleted. This cannot be undone.
        </>
      }
      change={remove}
      confirmName="Delete webhook"
      onConfirm={(options) => remove.mutate(undefined, options)}
      onDone={onDeleted}
      onClose={onClose}
    />
  );
}
