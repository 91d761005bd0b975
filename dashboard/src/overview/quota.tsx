import { Meter } from "@base-ui/react/meter";
import type { Account } from "../api/account.ts";
import { formatMidnight } from "../format/dates.ts";
import { formatCount, plural } from "../format/numbers.ts";
import { warningShare } from "./attention.ts";
import "./quota.css";

/** Used part of today's quota. */
export function Quota({ quota: { limit, used, remaining, resets_at } }: { quota: Account["quota"] }) {
  const resets = `The count resets at ${formatMidnight(resets_at)}.`;
  if (limit === -1) {
    return (
      <div className="quota">
        <p>
          <span className="quota-figure">{formatCount(used)}</span> {used === 1 ? "request" : "requests"}, with no daily
          limit
        </p>
        <p className="muted small">{resets}</p>
      </div>
    );
  }
  if (limit === 0) return <p className="muted">Your account has no API access, so there is no quota to use.</p>;
  const state = remaining === 0 ? "full" : used >= limit * warningShare ? "warning" : "normal";
  return (
    <Meter.Root
      className="quota"
      value={Math.min(used, limit)}
      max={limit}
      aria-valuetext={`${formatCount(used)} of ${plural(limit, "request")} used`}
    >
      <div className="quota-line">
        <Meter.Label render={<p />}>
          <span className="quota-figure">{formatCount(used)}</span> of {plural(limit, "request")} used
        </Meter.Label>
        <p className="muted numeric">{formatCount(remaining)} left</p>
      </div>
      <Meter.Track className="quota-track">
        <Meter.Indicator className={`quota-indicator quota-${state}`} />
      </Meter.Track>
      <p className="muted small">
        {resets}
        {state === "full" && " Requests get 429 until then."}
      </p>
    </Meter.Root>
  );
}
