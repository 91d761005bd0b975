import { useDeleteWebhook, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { FormError } from "../components/form-error.tsx";

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
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete this webhook?"
      description={
        <>
          <code>{webhook.url}</code> will no longer be called, and its deliveries are deleted. This cannot be undone.
        </>
      }
    >
      <FormError error={remove.error} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onDeleted })}
        >
          Delete webhook
        </Button>
      </DialogActions>
    </Dialog>
  );
}
