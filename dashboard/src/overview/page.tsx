import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import { AccessCallout } from "../account/access.tsx";
import { useAccount, useUsage } from "../api/account.ts";
import { Card } from "../components/card.tsx";
import { Loaded } from "../components/loaded.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { formatCount, formatLatency, formatShare } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { ReceivedInvitations } from "../members/received.tsx";
import { LatestRequests } from "../requests/latest.tsx";
import { AttentionList } from "./attention-list.tsx";
import { Funding } from "./funding.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { Quota } from "./quota.tsx";
import { RequestBars } from "./request-bars.tsx";
import "./page.css";

/** Overview: things that need the account's owner, new funding, and the account's requests. */
export function OverviewPage() {
  const account = useAccount();
  const usage = useUsage();
  const hasKey = (account.data?.keys.active ?? 0) > 0;
  const requests = usage.data?.totals.requests;
  const isNew = account.data?.keys.active === 0 || requests === 0;
  // A user who was led to the first request sees here that it arrived.
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
    <Page title="Overview" description="What needs you, what is new, and your requests." isWide>
      <ReceivedInvitations />
      {account.data && <AccessCallout account={account.data} />}
      <AttentionList />
      <div className="overview">
        <div className="overview-columns">
          <div className="stack">{account.data?.api_access === false ? null : <Funding />}</div>
          <div className="stack">
            {wasNew.current && <GettingStarted hasKey={hasKey} requests={requests ?? 0} />}
            <Card title="Today">
              <Loaded query={account} outline={<Skeleton lines={2} />}>
                {({ quota }) => <Quota quota={quota} />}
              </Loaded>
            </Card>
            <RecentUsage usage={usage} />
            <LatestRequests />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** Requests by day, and four figures of them. */
function RecentUsage({ usage }: { usage: ReturnType<typeof useUsage> }) {
  return (
    <Card title="Requests" description="By UTC day, the last 30 days." actions={<Link href="/usage">All usage</Link>}>
      <Loaded query={usage} outline={<Skeleton lines={1} tall />}>
        {({ days, totals }) =>
          totals.requests === 0 ? (
            <EmptyState icon="usage" title="No requests yet">
              They appear here moments after they are answered.
            </EmptyState>
          ) : (
            <>
              <dl className="overview-figures">
                <Figure label="in 30 days">{formatCount(totals.requests)}</Figure>
                <Figure label="answered 4xx">{formatShare(totals.client_errors, totals.requests)}</Figure>
                <Figure label="answered 5xx">{formatShare(totals.server_errors, totals.requests)}</Figure>
                <Figure label="p95">{formatLatency(totals.latency_ms.p95)}</Figure>
              </dl>
              <RequestBars days={days} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted small">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
