import { type FormEvent, useState } from "react";
import { eventNames } from "../../../shared/webhooks/events.ts";
import { type EventName, useTestEvent, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { SelectField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";

/** Sends a test event with a sample record. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [event, setEvent] = useState<EventName>(webhook.events[0] ?? "grant.created");
  const test = useTestEvent(webhook.id);
  const toast = useToast();
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (test.isPending) return;
    test.mutate(event, {
      onSuccess: () => {
        toast({ title: "A test is on its way", description: "It is at the top of the deliveries." });
        onClose();
      },
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Send a test"
      description="The event has a sample record. It is signed and sent like any other."
    >
      <Form refusal={test.error} onSubmit={submit}>
        <SelectField
          label="Event"
          options={eventNames.map((name) => [name, name] as const)}
          value={event}
          onChange={({ target }) => setEvent(target.value as EventName)}
        />
        <FormError error={test.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={test.isPending}>
            Send test
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
