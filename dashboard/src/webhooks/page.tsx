import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { explain } from "../api/errors.ts";
import { type IssuedWebhook, useUpdateWebhook, useWebhook, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Menu } from "../components/menu.tsx";
import { useShowSecret } from "../components/secrets.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDateTime, formatRelative } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { asSentence } from "../format/sentence.ts";
import { Page } from "../layout/page.tsx";
import { DeleteWebhookDialog } from "./delete-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EditWebhookDialog } from "./edit-dialog.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import { RotateSecretDialog } from "./rotate-dialog.tsx";
import { WebhookSecretDialog } from "./secret-dialog.tsx";
import { WebhookState } from "./state.tsx";
import { TestDialog } from "./test-dialog.tsx";
import { Verify } from "./verify.tsx";
import "./webhooks.css";

/** A webhook: its settings, its state, and its deliveries. */
export default function WebhookPage() {
  const { id = "" } = useParams();
  const webhook = useWebhook(id);
  if (webhook.data !== undefined) return <WebhookDetails webhook={webhook.data} />;
  return (
    <Page title="Webhook" description={<Link href="/webhooks">All webhooks</Link>}>
      <Loaded query={webhook}>{() => null}</Loaded>
    </Page>
  );
}

type Open = "edit" | "rotate" | "test" | "recover" | "delete";

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<Open>();
  const [, navigate] = useLocation();
  const update = useUpdateWebhook(webhook.id);
  const toast = useToast();
  const close = () => setOpen(undefined);
  const showSecret = useShowSecret();
  const showIssued = (issued: IssuedWebhook) => {
    close();
    showSecret((onClose) => <WebhookSecretDialog issued={issued} onClose={onClose} />);
  };
  const isActive = webhook.state === "active";
  const toggle = () =>
    update.mutate(
      { state: isActive ? "paused" : "active" },
      { onError: (error) => toast({ title: explain(error).title, description: explain(error).advice, type: "bad" }) },
    );
  const actions = (
    <>
      <Button onClick={() => setOpen("test")}>Send a test</Button>
      <Button onClick={toggle} isBusy={update.isPending}>
        {isActive ? "Pause" : "Activate"}
      </Button>
      <Menu
        label="More actions"
        entries={[
          { name: "Edit…", icon: "edit", onSelect: () => setOpen("edit") },
          { name: "Rotate the secret…", icon: "rotate", onSelect: () => setOpen("rotate") },
          { name: "Recover events…", icon: "changelog", onSelect: () => setOpen("recover") },
          { name: "Delete…", icon: "revoke", isDangerous: true, onSelect: () => setOpen("delete") },
        ]}
      />
    </>
  );
  return (
    <Page
      title={webhook.description || "Webhook"}
      description={<Link href="/webhooks">All webhooks</Link>}
      actions={actions}
    >
      <StateCallout webhook={webhook} />
      <Card>
        <Facts>
          <Fact name="Address">
            <code>{webhook.url}</code>
          </Fact>
          <Fact name="State">
            <WebhookState webhook={webhook} />
          </Fact>
          <Fact name="Events">
            <span className="row">
              {webhook.events.map((event) => (
                <code key={event} className="chip">
                  {event}
                </code>
              ))}
            </span>
          </Fact>
          {Object.entries(webhook.filters).map(([dataset, query]) => (
            <Fact key={dataset} name={`Only ${dataset} that match`}>
              {query === "" ? "the list’s defaults: nothing awarded, nothing archived" : <code>{query}</code>}
            </Fact>
          ))}
          {webhook.events.some((event) => event.endsWith("deadline_approaching")) && (
            <Fact name="Days before a deadline">{webhook.deadline_days.join(", ")}</Fact>
          )}
          {webhook.updated_fields.length > 0 && (
            <Fact name="Sends updates of">{webhook.updated_fields.join(", ")}</Fact>
          )}
          {webhook.expand.length > 0 && <Fact name="Adds to records">{webhook.expand.join(", ")}</Fact>}
          <Fact name="Added">{formatDateTime(webhook.created_at)}</Fact>
        </Facts>
      </Card>
      <Deliveries webhook={webhook} />
      <Verify />
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === "test" && <TestDialog webhook={webhook} onClose={close} />}
      {open === "recover" && <RecoverDialog webhook={webhook} onClose={close} />}
      {open === "rotate" && <RotateSecretDialog webhook={webhook} onClose={close} onIssued={showIssued} />}
      {open === "delete" && (
        <DeleteWebhookDialog
          webhook={webhook}
          onClose={close}
          onDeleted={() => {
            toast({ title: "The webhook is deleted" });
            navigate("/webhooks", { replace: true });
          }}
        />
      )}
    </Page>
  );
}

/** Failures at the same time count as one, so they are not as many attempts. */
function failuresTitle(failures: number): string {
  return failures === 1 ? "The last attempt failed" : `${formatCount(failures)} failures in a row`;
}

function StateCallout({ webhook }: { webhook: Webhook }) {
  if (webhook.state === "disabled") {
    return (
      <Callout tone="bad" title="This webhook is disabled">
        {asSentence(webhook.disabled_reason ?? "It failed too often")}
        {webhook.disabled_reason?.startsWith("You deleted it")
          ? null
          : " Fix your program, activate the webhook, then recover the events that it missed."}
      </Callout>
    );
  }
  if (webhook.state === "paused") {
    return (
      <Callout tone="warning" title="This webhook is paused">
        Events wait, and are sent when you activate it again.
      </Callout>
    );
  }
  if (webhook.failures_in_a_row > 0) {
    return (
      <Callout tone="warning" title={failuresTitle(webhook.failures_in_a_row)}>
        {webhook.failing_since !== null && `The first failed ${formatRelative(webhook.failing_since)}. `}
        Deliveries are retried at growing intervals.
      </Callout>
    );
  }
  return webhook.previous_secret_expires_at === null ? null : (
    <Callout tone="info" title="More than one secret is in use">
      Deliveries are also signed with earlier secrets until {formatDateTime(webhook.previous_secret_expires_at)}.
    </Callout>
  );
}
