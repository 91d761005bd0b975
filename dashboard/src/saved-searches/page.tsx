import { useState } from "react";
import { Link, useLocation } from "wouter";
import { AccessCallout } from "../account/access.tsx";
import { useAccount } from "../api/account.ts";
import { type IssuedAddress, type SavedSearch, useMarkSeen, useSavedSearches } from "../api/saved-searches.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Menu, type MenuEntry } from "../components/menu.tsx";
import { useShowSecret } from "../components/secrets.tsx";
import { EmptyState } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { newRecordsAddress } from "../explorer/new-records.ts";
import { formatDateTime, formatRelative } from "../format/dates.ts";
import { plural } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { describeSearch } from "./describe-search.ts";
import { AddressDialog, EndDialog, IssueAddressDialog, RenameDialog } from "./dialogs.tsx";
import { DigestDialog, DigestState } from "./digest-dialog.tsx";
import "./page.css";

/** The open dialog. */
type Open = { dialog: "rename" | "digest" | "issue" | "revoke" | "delete"; search: SavedSearch };

/** The account's saved searches. */
export default function SavedSearchesPage() {
  const searches = useSavedSearches();
  const account = useAccount();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const showSecret = useShowSecret();
  const showIssued = (issued: IssuedAddress) => {
    close();
    showSecret((onClose) => <AddressDialog issued={issued} onClose={onClose} />);
  };
  return (
    <Page
      title="Saved searches"
      description="Searches that tell you what is new: here, by e-mail, in a feed reader, in your calendar, or by a webhook."
    >
      {account.data && <AccessCallout account={account.data} subject="saved searches" />}
      <Loaded query={searches}>
        {({ saved_searches: list, has_mailer }) =>
          list.length === 0 ? (
            <Card>
              <EmptyState
                icon="bookmark"
                title="No saved searches yet"
                action={
                  <Link className="button button-primary" href="/explorer">
                    Open the explorer
                  </Link>
                }
              >
                Try out a search in the explorer, and save it there.
              </EmptyState>
            </Card>
          ) : (
            <SearchTable searches={list} hasMailer={has_mailer} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.dialog === "rename" && <RenameDialog search={open.search} onClose={close} />}
      {open?.dialog === "digest" && <DigestDialog search={open.search} onClose={close} />}
      {open?.dialog === "issue" && <IssueAddressDialog search={open.search} onClose={close} onIssued={showIssued} />}
      {open?.dialog === "revoke" && <EndDialog search={open.search} what="address" onClose={close} />}
      {open?.dialog === "delete" && <EndDialog search={open.search} what="search" onClose={close} />}
    </Page>
  );
}

function SearchTable({
  searches,
  hasMailer,
  onOpen,
}: {
  searches: readonly SavedSearch[];
  /** Whether the deployment sends e-mail. Without it, digests that were set before can be ended. */
  hasMailer: boolean;
  onOpen: (open: Open) => void;
}) {
  const [, navigate] = useLocation();
  const markSeen = useMarkSeen();
  const entriesOf = (search: SavedSearch): MenuEntry[] => [
    { name: "Rename…", icon: "edit", onSelect: () => onOpen({ dialog: "rename", search }) },
    ...(hasMailer || search.digest !== null
      ? [{ name: "E-mails…", icon: "mail" as const, onSelect: () => onOpen({ dialog: "digest", search }) }]
      : []),
    { name: "Make a webhook…", icon: "webhook", onSelect: () => navigate(webhookAddress(search)) },
    {
      name: search.address === null ? "Feed and calendar…" : "Replace feed and calendar…",
      icon: search.address === null ? "feed" : "rotate",
      onSelect: () => onOpen({ dialog: "issue", search }),
    },
    ...(search.address === null
      ? []
      : ([
          {
            name: "Revoke feed and calendar…",
            icon: "revoke",
            isDangerous: true,
            onSelect: () => onOpen({ dialog: "revoke", search }),
          },
        ] as const)),
    { name: "Delete…", icon: "close", isDangerous: true, onSelect: () => onOpen({ dialog: "delete", search }) },
  ];
  return (
    <Card isFlush>
      <Table caption="Saved searches" columns={["Search", "New", "E-mails", "Feed and calendar"]} hasActions>
        {searches.map((search) => (
          <tr key={search.id}>
            <th scope="row">
              <span className="saved-search-name">
                <Link href={explorerAddress(search)}>{search.name}</Link>
                <span className="muted small">{describeSearch(search)}</span>
              </span>
            </th>
            <td data-label="New">
              <span className="saved-search-new">
                <NewRecords search={search} />
                {(search.new_records?.count ?? 0) > 0 && (
                  <Button
                    look="quiet"
                    aria-label={`Mark ${search.name} as seen`}
                    disabled={markSeen.isPending}
                    onClick={() => markSeen.mutate(search)}
                  >
                    Mark as seen
                  </Button>
                )}
              </span>
            </td>
            <td data-label="E-mails">
              <DigestState digest={search.digest} />
            </td>
            <td data-label="Feed and calendar">
              <AddressState search={search} />
            </td>
            <td className="actions">
              <Menu label={`Actions for ${search.name}`} entries={entriesOf(search)} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** The number of new records, which opens just these. */
function NewRecords({ search }: { search: SavedSearch }) {
  const { new_records, seen_until } = search;
  if (new_records === null) return <span className="muted">Not counted</span>;
  const { count, is_capped } = new_records;
  if (count === 0 && !is_capped) return <span className="muted">None</span>;
  return (
    <Link href={newAddress(search)} state={{ send: true }} title={`Since ${formatDateTime(seen_until)}`}>
      <Badge tone="good">{is_capped ? `${count} or more` : plural(count, "record")}</Badge>
    </Link>
  );
}

function AddressState({ search: { address } }: { search: SavedSearch }) {
  if (address === null) return <span className="muted">None</span>;
  if (address.last_read_at === null) return <>Not read yet</>;
  return <span title={formatDateTime(address.last_read_at)}>Read {formatRelative(address.last_read_at)}</span>;
}

function explorerAddress({ dataset, query }: SavedSearch): string {
  return `/explorer?dataset=${dataset}${query === "" ? "" : `&${query}`}`;
}

/** Address of the explorer with the records that are counted as new. */
export function newAddress({ dataset, query, seen_until, counted_until }: SavedSearch): string {
  return newRecordsAddress(dataset, query, seen_until, counted_until);
}

/** The form of a new webhook with this search as its filter. */
function webhookAddress({ dataset, filter, name }: SavedSearch): string {
  return `/webhooks?${new URLSearchParams({ new: dataset, filter, description: name })}`;
}
