import { type FormEvent, useState } from "react";
import { type IssuedWebhook, useRotateWebhookSecret, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { SelectField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError } from "../components/form-error.tsx";

/** Overlaps in seconds, during which both secrets sign. */
const overlaps = [
  ["0", "No overlap: the old secret stops at once"],
  ["3600", "1 hour"],
  ["86400", "1 day"],
  ["604800", "7 days"],
  ["2592000", "30 days"],
] as const;

/** Gives a webhook a new secret. */
export function RotateSecretDialog({
  webhook,
  onClose,
  onIssued,
}: {
  webhook: Webhook;
  onClose: () => void;
  onIssued: (issued: IssuedWebhook) => void;
}) {
  const [seconds, setSeconds] = useState("86400");
  const rotate = useRotateWebhookSecret(webhook.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rotate.isPending) rotate.mutateAsync(Number(seconds)).then(onIssued, () => undefined);
  };
  return (
    <Dialog
      isOpen
      isSticky={rotate.isPending}
      onClose={onClose}
      title="Rotate the secret"
      description="Deliveries are signed with both secrets during the overlap, so that you can switch without an interruption."
    >
      <Form refusal={rotate.error} onSubmit={submit}>
        <SelectField
          label="The old secret is used for"
          options={overlaps}
          value={seconds}
          onChange={({ target }) => setSeconds(target.value)}
        />
        <FormError error={rotate.error} />
        <DialogActions>
          <Button onClick={onClose} disabled={rotate.isPending}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={rotate.isPending}>
            Rotate secret
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
