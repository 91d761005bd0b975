import { useState } from "react";
import { type IssuedWebhook, useRotateWebhookSecret, type Webhook } from "../api/webhooks.ts";
import { SelectField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";

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
  return (
    <FormDialog
      title="Rotate the secret"
      description="Deliveries are signed with both secrets during the overlap, so that you can switch without an interruption."
      change={rotate}
      submitName="Rotate secret"
      isSticky
      onSubmit={() => rotate.mutateAsync(Number(seconds)).then(onIssued, () => undefined)}
      onClose={onClose}
    >
      <SelectField
        label="The old secret also signs for"
        options={overlaps}
        value={seconds}
        onChange={({ target }) => setSeconds(target.value)}
      />
    </FormDialog>
  );
}
