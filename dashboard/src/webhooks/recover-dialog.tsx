import { type FormEvent, useState } from "react";
import { useRecover, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { SelectField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError, fieldErrors } from "../components/form-error.tsx";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recover.isPending) return;
    const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
    recover.mutate(
      { since },
      {
        onSuccess: ({ events }) => {
          toast({
            title: "Recovery started",
            description: descriptionOf(events),
          });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Recover events"
      description="Sends the events that this webhook missed in a period. Delivered events are not sent again."
    >
      <Form refusal={recover.error} onSubmit={submit}>
        <SelectField
          label="From"
          options={ranges}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
          error={fieldErrors(recover.error).since}
        />
        <FormError error={recover.error} known={["since"]} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={recover.isPending}>
            Recover
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
