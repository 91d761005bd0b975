import { useLatestDeliveries, type Webhook, type WebhookDelivery } from "../api/webhooks.ts";
import { formatDateTime, formatRelative } from "../format/dates.ts";
import { formatShare, plural } from "../format/numbers.ts";

/** Deliveries that have a bar. */
const bars = 30;
const barWidth = 3;
const gap = 1;
const height = 20;

/** A webhook's latest deliveries: the share that arrived, and a bar for each, the newest at the end. */
export function Activity({ webhook }: { webhook: Webhook }) {
  const deliveries = useLatestDeliveries(webhook.id).data;
  if (deliveries === undefined || deliveries.length === 0) return <span className="muted">–</span>;
  const ended = deliveries.filter(({ state }) => state !== "pending");
  const arrived = ended.filter(({ state }) => state === "succeeded").length;
  const waiting = deliveries.length - ended.length;
  return (
    <span className="webhook-activity">
      <Bars
        states={deliveries
          .map(({ state }) => state)
          .slice(0, bars)
          .reverse()}
      />
      <span>
        {ended.length > 0 && (
          <span title={`Of the latest ${plural(ended.length, "delivery", "deliveries")} that ended`}>
            {formatShare(arrived, ended.length)} arrived
          </span>
        )}
        {ended.length > 0 && waiting > 0 && ", "}
        {waiting > 0 && <span className="muted">{waiting} waiting</span>}
      </span>
    </span>
  );
}

/** When the newest delivery was created. */
export function LastDelivery({ webhook }: { webhook: Webhook }) {
  const [latest] = useLatestDeliveries(webhook.id).data ?? [];
  if (latest === undefined) return <span className="muted">–</span>;
  return (
    <time dateTime={latest.created_at} title={formatDateTime(latest.created_at)}>
      {formatRelative(latest.created_at)}
    </time>
  );
}

/** For the eye: the share stands beside it. */
function Bars({ states }: { states: readonly WebhookDelivery["state"][] }) {
  const width = states.length * (barWidth + gap) - gap;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {states.map((state, index) => {
        const barHeight = state === "pending" ? height / 2 : height;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            key={index}
            className={`delivery-bar-${state}`}
            x={index * (barWidth + gap)}
            y={height - barHeight}
            width={barWidth}
            height={barHeight}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
