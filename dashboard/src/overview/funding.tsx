import { Fragment, type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { type LatestRecord, type LatestRecords, useLatestRecords } from "../api/latest-records.ts";
import { useSavedSearches } from "../api/saved-searches.ts";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Loaded } from "../components/loaded.tsx";
import { EmptyState, Skeleton } from "../components/states.tsx";
import { newRecordsAddress } from "../explorer/new-records.ts";
import { formatDate, formatDateTime, formatDaysLeft } from "../format/dates.ts";
import { formatAmounts, formatCount } from "../format/numbers.ts";
import { useChosenAccount } from "../members/chosen-account.tsx";
import { newSince, readVisits, writeVisits } from "./visit.ts";
import "./funding.css";

/** Funding that came since the last visit, and what closes next. */
export function Funding() {
  const { userId } = useChosenAccount();
  const [since] = useState(() => newSince(readVisits(userId), Date.now()));
  const records = useLatestRecords(since);
  const seenUntil = records.data?.counted_until;
  useEffect(() => {
    if (seenUntil !== undefined) writeVisits(userId, { since, seenUntil, at: Date.now() });
  }, [userId, since, seenUntil]);
  return (
    <>
      <Card
        title="New funding"
        description={records.data && <NewWords records={records.data} since={since} />}
        isFlush
        actions={<ListLinks name="Latest" query={{ sort_by: "created_at", order: "desc" }} />}
      >
        <Loaded query={records} outline={<Skeleton lines={10} />}>
          {({ latest }) =>
            latest.length === 0 ? (
              <EmptyState icon="explorer" title="No records yet">
                They appear here once they are imported.
              </EmptyState>
            ) : (
              <ul className="funding">
                {latest.map((record) => (
                  <FundingRow key={record.id} record={record} isNew={record.is_new && since !== undefined}>
                    <span>{formatAmounts(record.amount_min, record.amount_max)}</span>
                    <span className="muted small">
                      {record.deadline_date === null ? "no deadline" : `closes ${dayOf(record.deadline_date)}`}
                    </span>
                  </FundingRow>
                ))}
              </ul>
            )
          }
        </Loaded>
        <SavedSearchCounts />
      </Card>
      {records.data && records.data.closing.length > 0 && (
        <Card
          title="Closing soon"
          description="Open opportunities, by their deadline."
          isFlush
          actions={<ListLinks name="All" query={closing} />}
        >
          <ul className="funding">
            {records.data.closing.map((record) => (
              <FundingRow key={record.id} record={record} amounts={formatAmounts(record.amount_min, record.amount_max)}>
                <span>{formatDaysLeft(record.days_left ?? 0)}</span>
                <span className="muted small">{dayOf(record.deadline_date ?? "")}</span>
              </FundingRow>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

/** An opportunity, with two lines of figures beside it. Its title opens it in the explorer. */
function FundingRow({
  record: { dataset, id, title, funder_name },
  isNew = false,
  amounts = "–",
  children,
}: {
  record: LatestRecord;
  isNew?: boolean;
  amounts?: string;
  children: ReactNode;
}) {
  const kind = dataset === "grants" ? "Grant" : "Contract";
  return (
    <li className="funding-row">
      <div>
        <Link
          href={`/explorer?dataset=${dataset}&id=${id}`}
          state={{ send: true }}
          className="funding-title"
          title={title}
        >
          {title}
        </Link>
        <p className="muted small funding-beside">
          {isNew && <Badge tone="good">New</Badge>}
          <span>
            {[kind, funder_name, amounts === "–" ? null : amounts].filter((part) => part !== null).join(" · ")}
          </span>
        </p>
      </div>
      <div className="funding-figures">{children}</div>
    </li>
  );
}

/** How many records each saved search has that are new to its owner; nothing where there are none. */
function SavedSearchCounts() {
  const searches = useSavedSearches().data?.saved_searches ?? [];
  const found = searches.filter(({ new_records }) => (new_records?.count ?? 0) > 0).slice(0, 4);
  if (found.length === 0) return null;
  return (
    <p className="funding-searches small">
      <span className="muted">New in your saved searches:</span>
      {found.map(({ id, name, dataset, query, new_records, seen_until, counted_until }) => (
        <Link key={id} href={newRecordsAddress(dataset, query, seen_until, counted_until)} state={{ send: true }}>
          {name} ({formatCount(new_records?.count ?? 0)}
          {new_records?.is_capped ? "+" : ""})
        </Link>
      ))}
    </p>
  );
}

/** How many opportunities came; each number opens just these. */
function NewWords({ records, since }: { records: LatestRecords; since: string | undefined }) {
  if (records.new_records === null) return null;
  const found = (["grants", "contracts"] as const).flatMap((dataset) => {
    const { count, is_capped } = records.new_records?.[dataset] ?? { count: 0, is_capped: false };
    return count === 0 ? [] : [{ dataset, count, isCapped: is_capped }];
  });
  const when = since === undefined ? "in the last 7 days" : `since your last visit, ${formatDateTime(since)}`;
  if (found.length === 0) return `Nothing new ${when}. These were posted last.`;
  return (
    <>
      {found.map(({ dataset, count, isCapped }, index) => (
        <Fragment key={dataset}>
          {index > 0 && " and "}
          <Link
            href={newRecordsAddress(dataset, notEnded[dataset], records.since, records.counted_until)}
            state={{ send: true }}
          >
            {formatCount(count)}
            {isCapped ? "+" : ""} {count === 1 && !isCapped ? dataset.slice(0, -1) : dataset}
          </Link>
        </Fragment>
      ))}{" "}
      came {when}.
    </>
  );
}

/** A day of the API, which has no time zone. */
function dayOf(day: string): string {
  return formatDate(`${day}T12:00:00`);
}

/** Query of the lists whose beginning is on show. `deadline_after` leaves its own day out. */
const closing = { status: "open", deadline_after: "today-1d", sort_by: "deadline_date", order: "asc" };

/** Query of what is counted as new. */
const notEnded = {
  grants: "exclude_status=closed",
  contracts: "exclude_status=closed&exclude_status=cancelled&exclude_status=awarded",
};

/** Links to the explorer with a list of each dataset: no list has both. */
function ListLinks({ name, query }: { name: string; query: Readonly<Record<string, string>> }) {
  return ["grants", "contracts"].map((dataset) => (
    <Link key={dataset} href={`/explorer?${new URLSearchParams({ dataset, ...query })}`} state={{ send: true }}>
      {name} {dataset}
    </Link>
  ));
}
