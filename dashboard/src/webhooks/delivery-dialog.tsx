import { useState } from "react";
import { useDelivery, useResend, type Webhook, type WebhookDeliveryDetails } from "../api/webhooks.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { FormError } from "../components/form-error.tsx";
import { highlightJson } from "../components/json.tsx";
import { Loaded } from "../components/loaded.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDateTime, formatWait } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { asSentence } from "../format/sentence.ts";
import { DeliveryState, outcomeOf } from "./state.tsx";

/** A delivery: its payload, and each attempt with its response. */
export function DeliveryDialog({
  webhook,
  eventId,
  onClose,
}: {
  webhook: Webhook;
  eventId: string;
  onClose: () => void;
}) {
  const delivery = useDelivery(webhook, eventId);
  const resend = useResend(webhook.id);
  const toast = useToast();
  const send = () =>
    resend.mutate(eventId, {
      onSuccess: () => toast({ title: "It will be sent again", description: "The attempt appears here." }),
    });
  return (
    <Dialog isOpen isWide onClose={onClose} title={delivery.data?.record_title ?? delivery.data?.event ?? "Delivery"}>
      <Loaded query={delivery}>{(data) => <Details delivery={data} />}</Loaded>
      <FormError error={resend.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" isBusy={resend.isPending} onClick={send}>
          Send again
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Details({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { payload, log, next_attempt_in_seconds } = delivery;
  const { id, event, created_at, data, changes, test } = payload;
  // The members in the order in which they are sent.
  const text = JSON.stringify({ id, event, created_at, data, changes, test }, null, 2);
  return (
    <>
      <p className="row">
        <DeliveryState delivery={delivery} />
        {delivery.is_test && <Badge tone="plain">Test</Badge>}
        <span className="muted">
          {event}, {formatDateTime(created_at)}
        </span>
      </p>
      <h3>Attempts</h3>
      {log.map((attempt, index) => (
        <Attempt key={attempt.attempt} attempt={attempt} isLast={index === log.length - 1} />
      ))}
      {next_attempt_in_seconds !== null && (
        <p className="muted">
          The {log.length === 0 ? "first" : "next"} attempt is {formatWait(next_attempt_in_seconds)}.
        </p>
      )}
      <h3>Payload</h3>
      <CodeBlock label="payload" text={text}>
        {highlightJson(text)}
      </CodeBlock>
    </>
  );
}

/** An attempt with its request and the receiver's answer; open where it is the last one and failed. */
function Attempt({ attempt, isLast }: { attempt: WebhookDeliveryDetails["log"][number]; isLast: boolean }) {
  const { status, error, message, duration_ms, started_at } = attempt;
  // As it was when it appeared: the next attempt does not close what is being read.
  const [isOpen] = useState(isLast && error !== null);
  return (
    <details className="attempt" open={isOpen}>
      <summary>
        <Badge tone={error === null ? "good" : "bad"}>{outcomeOf(attempt)}</Badge>
        <span>Attempt {attempt.attempt}</span>
        <span className="muted small">
          {formatDateTime(started_at)}
          {duration_ms !== null && `, ${formatCount(duration_ms)} ms`}
        </span>
      </summary>
      {message !== null && <p>{asSentence(message)}</p>}
      <HttpMessage name="Request" headers={attempt.request_headers} firstLine={`POST ${attempt.url}`} />
      {status !== null && (
        <HttpMessage
          name="Answer"
          headers={attempt.response_headers}
          firstLine={String(status)}
          body={attempt.response_body}
        />
      )}
    </details>
  );
}

function HttpMessage({
  name,
  firstLine,
  headers,
  body,
}: {
  name: string;
  firstLine: string;
  headers: Record<string, string> | null;
  body?: string | null;
}) {
  const lines = [firstLine, ...Object.entries(headers ?? {}).map(([header, value]) => `${header}: ${value}`)];
  return <CodeBlock label={name.toLowerCase()} text={[...lines, ...(body ? ["", body] : [])].join("\n")} />;
}
