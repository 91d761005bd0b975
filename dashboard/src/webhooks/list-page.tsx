import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { AccessCallout } from "../account/access.tsx";
import { useAccount } from "../api/account.ts";
import { type IssuedWebhook, useWebhooks, type Webhook } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/loaded.tsx";
import { useShowSecret } from "../components/secrets.tsx";
import { EmptyState } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { plural } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { Activity, LastDelivery } from "./activity.tsx";
import { CreateWebhookDialog } from "./create-dialog.tsx";
import { prefillAt } from "./draft.ts";
import { WebhookSecretDialog } from "./secret-dialog.tsx";
import { WebhookState } from "./state.tsx";
import "./webhooks.css";

/** The account's webhooks. */
export default function WebhooksPage() {
  const webhooks = useWebhooks();
  const account = useAccount();
  const [prefill, setPrefill] = useState(prefillAt(useSearch()));
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(prefill !== undefined);
  const showSecret = useShowSecret();
  // Neither a reload nor the next webhook has it again.
  const close = () => {
    setCreating(false);
    if (prefill === undefined) return;
    setPrefill(undefined);
    // The user may have gone to another page while the webhook was created.
    if (location.pathname === "/webhooks") navigate("/webhooks", { replace: true });
  };
  const showIssued = (issued: IssuedWebhook) => {
    close();
    showSecret((onClose) => <WebhookSecretDialog issued={issued} onClose={onClose} />);
  };
  // Nobody fills in a form that is refused. Where the account cannot be read, the API decides.
  const mayAdd = account.data?.api_access ?? account.isError;
  const button = mayAdd ? (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      Add webhook
    </Button>
  ) : undefined;
  return (
    <Page
      title="Webhooks"
      description="We call your program when records appear, change or come close to their deadline."
      actions={webhooks.data?.length ? button : undefined}
    >
      {account.data && <AccessCallout account={account.data} subject="webhooks" />}
      <Loaded query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <Card>
              <EmptyState icon="webhook" title="No webhooks yet" action={button}>
                {mayAdd
                  ? "Add the address of your program, choose its events, and send it a test."
                  : "Webhooks come with every tier that has API access."}
              </EmptyState>
            </Card>
          ) : (
            <WebhookTable webhooks={list} />
          )
        }
      </Loaded>
      {isCreating && mayAdd && <CreateWebhookDialog prefill={prefill} onClose={close} onIssued={showIssued} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <Card isFlush>
      <Table caption="Webhooks" columns={["Address", "Events", "State", "Latest deliveries", "Last delivery"]}>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <th scope="row">
              <span className="webhook-name">
                <Link href={`/webhooks/${webhook.id}`}>{webhook.url}</Link>
                {webhook.description !== "" && <span className="muted small">{webhook.description}</span>}
              </span>
            </th>
            <td data-label="Events" className="webhook-events" title={webhook.events.join(", ")}>
              {plural(webhook.events.length, "event")}
              {Object.keys(webhook.filters).length > 0 && ", filtered"}
            </td>
            <td data-label="State">
              <WebhookState webhook={webhook} />
            </td>
            <td data-label="Latest deliveries">
              <Activity webhook={webhook} />
            </td>
            <td data-label="Last delivery" className="webhook-last">
              <LastDelivery webhook={webhook} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
