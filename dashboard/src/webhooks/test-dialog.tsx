import { useState } from "react";
import { eventNames } from "../../../shared/webhooks/events.ts";
import { type EventName, useTestEvent, type Webhook } from "../api/webhooks.ts";
import { SelectField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useToast } from "../components/toasts.tsx";

/** Sends a test event with a sample record. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [event, setEvent] = useState<EventName>(webhook.events[0] ?? "grant.created");
  const test = useTestEvent(webhook.id);
  const toast = useToast();
  const submit = () =>
    test.mutate(event, {
      onSuccess: () => {
        toast({ title: "A test is on its way", description: "It is at the top of the deliveries." });
        onClose();
      },
    });
  return (
    <FormDialog
      title="Send a test"
      description="The event has a sample record. It is signed and sent like any other."
      change={test}
      submitName="Send test"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Event"
        options={eventNames.map((name) => [name, name] as const)}
        value={event}
        onChange={({ target }) => setEvent(target.value as EventName)}
      />
    </FormDialog>
  );
}
