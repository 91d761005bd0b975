import { useState } from "react";
import { useRecover, type Webhook } from "../api/webhooks.ts";
import { SelectField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { plural } from "../format/numbers.ts";

/** Periods in hours. Events are kept for 14 days. */
const ranges = [
  ["1", "The last hour"],
  ["24", "The last day"],
  ["72", "The last 3 days"],
  ["168", "The last 7 days"],
  ["335", "The last 14 days"],
] as const;

/** @param events of the period, whatever the webhook is sent of them. */
function descriptionOf(events: number): string {
  if (events === 0) return "There are no events in this period.";
  return `It looks through ${plural(events, "event")} of this period, and sends those that match and did not arrive.`;
}

/** Delivers the events that a webhook missed. */
export function RecoverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [hours, setHours] = useState("24");
  const recover = useRecover(webhook.id);
  const toast = useToast();
  const submit = () => {
    const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
    recover.mutate(
      { since },
      {
        onSuccess: ({ events }) => {
          toast({ title: "Recovery started", description: descriptionOf(events) });
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Recover events"
      description="Sends the events that this webhook missed in a period. Delivered events are not sent again."
      change={recover}
      known={["since"]}
      submitName="Recover"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="From"
        options={ranges}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
        error={fieldErrors(recover.error).since}
      />
    </FormDialog>
  );
}
