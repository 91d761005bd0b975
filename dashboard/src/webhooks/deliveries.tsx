import { useLocation, useSearch } from "wouter";
import {
  useDeliveries,
  useDeliveryCount,
  useFollowDeliveries,
  type Webhook,
  type WebhookDelivery,
} from "../api/webhooks.ts";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { EmptyState } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { formatDateTime, formatRelative, formatWait } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryState, outcomeOf } from "./state.tsx";

const states = [
  { value: "all", name: "All" },
  { value: "pending", name: "Waiting" },
  { value: "succeeded", name: "Delivered" },
  { value: "failed", name: "Failed" },
] as const;

/** Deliveries to a webhook, newest first, including pending ones. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const search = new URLSearchParams(useSearch());
  const [location, navigate] = useLocation();
  const state = states.find(({ value }) => value === search.get("state"))?.value ?? "all";
  const shown = search.get("delivery");
  /** Writes a choice to the address, which a colleague can be sent. */
  const choose = (name: "state" | "delivery", value: string | undefined) => {
    if (value === undefined) search.delete(name);
    else search.set(name, value);
    navigate(search.size === 0 ? location : `${location}?${search}`, { replace: true });
  };
  const counts = {
    pending: useDeliveryCount(webhook.id, "pending").data,
    failed: useDeliveryCount(webhook.id, "failed").data,
  };
  const options = states.map(({ value, name }) => {
    const count = value === "pending" || value === "failed" ? counts[value] : undefined;
    return { value, name: count === undefined || count === "0" ? name : `${name} (${count})` };
  });
  const query = useDeliveries(webhook, state === "all" ? undefined : state);
  useFollowDeliveries(
    webhook.id,
    query.data?.pages.flatMap((page) => page.deliveries),
  );
  return (
    <Card
      title="Deliveries"
      isFlush
      actions={
        <Choice
          label="Filter deliveries"
          value={state}
          options={options}
          onChange={(value) => choose("state", value === "all" ? undefined : value)}
        />
      }
    >
      <PagedList
        query={query}
        rowsOf={(page) => page.deliveries}
        empty={
          <EmptyState icon="webhook" title={state === "all" ? "Nothing sent yet" : "No such deliveries"}>
            {state === "all" ? "Send a test to see what arrives." : "Choose “All” to see the others."}
          </EmptyState>
        }
      >
        {(deliveries) => (
          <DeliveryTable webhook={webhook} deliveries={deliveries} onShow={(eventId) => choose("delivery", eventId)} />
        )}
      </PagedList>
      {shown !== null && (
        <DeliveryDialog webhook={webhook} eventId={shown} onClose={() => choose("delivery", undefined)} />
      )}
    </Card>
  );
}

function DeliveryTable({
  webhook,
  deliveries,
  onShow,
}: {
  webhook: Webhook;
  deliveries: readonly WebhookDelivery[];
  onShow: (eventId: string) => void;
}) {
  return (
    <Table caption="Deliveries" columns={["Record", "State", "Answer", ["Attempts", "number"], "Date"]}>
      {deliveries.map((delivery) => (
        <tr key={delivery.event_id}>
          <th scope="row">
            <span className="delivery-name">
              <button type="button" className="link-button" onClick={() => onShow(delivery.event_id)}>
                {delivery.record_title ?? delivery.record_id}
              </button>
              <span className="row delivery-event">
                <code className="muted">{delivery.event}</code>
                {delivery.is_test && <Badge tone="plain">Test</Badge>}
              </span>
            </span>
          </th>
          <td data-label="State">
            <span className="delivery-state">
              <DeliveryState delivery={delivery} />
              {/* To a webhook that is not active nothing is sent. */}
              {webhook.state === "active" && delivery.next_attempt_in_seconds !== null && (
                <span className="muted small">Next attempt {formatWait(delivery.next_attempt_in_seconds)}</span>
              )}
            </span>
          </td>
          <td data-label="Answer" className="delivery-answer">
            <LastAnswer attempt={delivery.last_attempt} />
          </td>
          <td data-label="Attempts" className="number">
            {delivery.attempts}
          </td>
          <td data-label="Date" className="delivery-date" title={formatRelative(delivery.event_created_at)}>
            {formatDateTime(delivery.event_created_at)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The receiver's last answer, and the time that it took. */
function LastAnswer({ attempt }: { attempt: WebhookDelivery["last_attempt"] }) {
  if (attempt === null) return <span className="muted">–</span>;
  const { duration_ms } = attempt;
  if (duration_ms === null) return outcomeOf(attempt);
  return (
    <span>
      {outcomeOf(attempt)} <span className="muted">in {formatCount(duration_ms)} ms</span>
    </span>
  );
}
