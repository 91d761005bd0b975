import { useRef } from "react";
import { Link } from "wouter";
import { AccessCallout } from "../account/access.tsx";
import { useAccount, useUsage } from "../api/account.ts";
import { RequestsChart } from "../charts/lazy.tsx";
import { pointsOfDays } from "../charts/steps.ts";
import { Card } from "../components/card.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Stat, Stats } from "../components/stat.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { formatCount, formatLatency, formatShare } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { ReceivedInvitations } from "../members/received.tsx";
import { LatestRequests } from "../requests/latest.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { Quota } from "./quota.tsx";

/** The account today, and its last 30 days. */
export function OverviewPage() {
  const account = useAccount();
  const usage = useUsage();
  const hasKey = (account.data?.keys.active ?? 0) > 0;
  const requests = usage.data?.totals.requests;
  const isNew = account.data?.keys.active === 0 || requests === 0;
  // Who was led to the first request sees here that it arrived.
  const wasNew = useRef(false);
  wasNew.current ||= isNew;
  if (account.isError && account.data === undefined) {
    // One error instead of the same error in every card.
    const retry = () => void Promise.all([account.refetch(), usage.refetch()]);
    return (
      <Page title="Overview">
        <Card>
          <ErrorState error={account.error} onRetry={retry} />
        </Card>
      </Page>
    );
  }
  return (
    <Page title="Overview" description="Your account today, and the last 30 days.">
      <ReceivedInvitations />
      {account.data && <AccessCallout account={account.data} />}
      <Card title="Today">
        <Loaded query={account} outline={<Skeleton lines={2} />}>
          {({ quota }) => <Quota quota={quota} />}
        </Loaded>
      </Card>
      {wasNew.current && <GettingStarted hasKey={hasKey} requests={requests ?? 0} />}
      {usage.data && usage.data.totals.requests > 0 && (
        <Stats of={4}>
          <Stat label="Requests" value={formatCount(usage.data.totals.requests)} note="in 30 days" />
          <Stat
            label="Client errors"
            value={formatShare(usage.data.totals.client_errors, usage.data.totals.requests)}
            note="answered 4xx"
          />
          <Stat
            label="Server errors"
            value={formatShare(usage.data.totals.server_errors, usage.data.totals.requests)}
            note="answered 5xx"
          />
          <Stat
            label="Response time"
            value={formatLatency(usage.data.totals.latency_ms.p95)}
            note="95 of 100 are faster"
          />
        </Stats>
      )}
      <Card title="Requests" description="By UTC day, the last 30 days." actions={<Link href="/usage">All usage</Link>}>
        <Loaded query={usage} outline={<Skeleton lines={1} tall />}>
          {({ days, totals }) =>
            totals.requests === 0 ? (
              <EmptyState icon="usage" title="No requests yet">
                They appear here moments after they are answered.
              </EmptyState>
            ) : (
              <RequestsChart step="day" points={pointsOfDays(days)} />
            )
          }
        </Loaded>
      </Card>
      <LatestRequests />
    </Page>
  );
}
