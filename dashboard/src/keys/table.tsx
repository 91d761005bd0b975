import { useEffect, useRef, useState } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import type { AccountKey } from "../api/account.ts";
import { Sparkline } from "../charts/sparkline.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { EmptyState } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { formatDate, formatDateTime, formatRelative } from "../format/dates.ts";
import { plural } from "../format/numbers.ts";
import { describeLimits } from "./limits.ts";
import { KeyMenu } from "./menu.tsx";
import { KeyStatus } from "./status.tsx";
import "./table.css";

/** Days of which the table shows each key's requests, today included. */
export const activityDays = 14;

/** Active keys, and on demand the inactive ones. */
export function KeyTable({
  keys,
  activity,
  onLimit,
  onRotate,
  onRevoke,
}: {
  keys: readonly AccountKey[];
  /** Requests of the last `activityDays` by the key's id, oldest day first; empty until they are known. */
  activity: ReadonlyMap<string, readonly number[]>;
  onLimit: (key: AccountKey) => void;
  onRotate: (key: AccountKey) => void;
  onRevoke: (key: AccountKey) => void;
}) {
  const [isInactiveShown, setInactiveShown] = useState(false);
  const named = useLocationProperty(namedKey);
  const row = useRef<HTMLTableRowElement>(null);
  // After the page's title has got the focus, which scrolls to the top.
  useEffect(() => {
    const frame = requestAnimationFrame(() => named !== undefined && row.current?.scrollIntoView({ block: "center" }));
    return () => cancelAnimationFrame(frame);
  }, [named]);
  const inactive = keys.filter(({ status }) => status !== "active");
  const isAllShown = isInactiveShown || inactive.some(({ id }) => id === named);
  const shown = isAllShown ? keys : keys.filter(({ status }) => status === "active");
  return (
    <>
      <Card isFlush>
        {shown.length === 0 ? (
          <EmptyState icon="key" title="No active keys">
            All of your keys have expired or been revoked.
          </EmptyState>
        ) : (
          <Table
            caption="API keys"
            columns={[
              "Name",
              "Key",
              "Status",
              [`Last ${activityDays} days`, "key-activity-column"],
              "Last used",
              "Expires",
            ]}
            hasActions
          >
            {shown.map((key) => (
              <tr
                key={key.id}
                ref={key.id === named ? row : undefined}
                aria-current={key.id === named ? "true" : undefined}
              >
                <th scope="row">
                  <div>
                    <span className="key-name">{key.name}</span>
                    <span className="key-line muted small" title={formatDateTime(key.created_at)}>
                      Created {formatDate(key.created_at)}
                    </span>
                    <KeyLimits subject={key} />
                  </div>
                </th>
                <td data-label="Key">
                  <code className="key-text">{key.display}</code>
                </td>
                <td data-label="Status">
                  <KeyStatus subject={key} />
                </td>
                <td className="key-activity-column" data-label={`Last ${activityDays} days`}>
                  <KeyActivity requests={activity.get(key.id)} />
                </td>
                <td data-label="Last used">
                  {key.last_used_at === null ? (
                    <span className="muted">Never</span>
                  ) : (
                    <span title={formatDateTime(key.last_used_at)}>{formatRelative(key.last_used_at)}</span>
                  )}
                </td>
                <td data-label="Expires">
                  {key.expires_at === null ? (
                    <span className="muted">Never</span>
                  ) : (
                    <span title={formatDateTime(key.expires_at)}>{formatDate(key.expires_at)}</span>
                  )}
                </td>
                <td className="actions">
                  {key.status === "active" && (
                    <KeyMenu
                      subject={key}
                      onLimit={() => onLimit(key)}
                      onRotate={() => onRotate(key)}
                      onRevoke={() => onRevoke(key)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Card>
      {inactive.length > 0 && (
        <div>
          <Button look="quiet" aria-expanded={isAllShown} onClick={() => setInactiveShown(!isInactiveShown)}>
            {isAllShown ? "Hide inactive keys" : `Show ${plural(inactive.length, "inactive key")}`}
          </Button>
        </div>
      )}
    </>
  );
}

/** Id of the key that a link, such as the palette's, leads to. */
const namedKey = (): string | undefined => (history.state as { key?: string } | null)?.key;

/** A key's requests by day, and their sum. */
function KeyActivity({ requests }: { requests: readonly number[] | undefined }) {
  if (requests === undefined) return <span className="muted">–</span>;
  const total = requests.reduce((sum, count) => sum + count, 0);
  if (total === 0) return <span className="muted">No requests</span>;
  return (
    <span className="key-activity">
      <Sparkline values={requests} />
      <span className="small">{plural(total, "request")}</span>
    </span>
  );
}

function KeyLimits({ subject }: { subject: AccountKey }) {
  const limits = describeLimits(subject);
  return limits.length === 0 ? null : <span className="key-line muted small">Only {limits.join(" · ")}</span>;
}
