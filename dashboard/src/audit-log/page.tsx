import { Link, useLocation, useSearch } from "wouter";
import { useAllEntries, useAuditLog } from "../api/audit-log.ts";
import { explain } from "../api/errors.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { EmptyState } from "../components/states.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatCount, plural } from "../format/numbers.ts";
import { saveCsv } from "../format/save-csv.ts";
import { Page } from "../layout/page.tsx";
import { auditCsv } from "./csv.ts";
import { entryHasWords, filterOf } from "./filter.ts";
import { AuditTable } from "./table.tsx";
import "./page.css";

const path = "/account/audit-log";

const kinds = [
  ["", "All changes"],
  ["key", "Keys"],
  ["webhook", "Webhooks"],
  ["saved_search", "Saved searches and their e-mails"],
  ["member", "Members"],
  ["invitation", "Invitations"],
  ["subscription", "Tier and subscription"],
  ["account", "Account settings and sign-in"],
] as const;

/** Changes of the account. The filters are in the address: `kind`, `subject` (the id of one thing), the days `from` and `to`, and `text`. */
export default function AuditLogPage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const given = (name: "kind" | "subject" | "from" | "to" | "text") => search.get(name) ?? "";
  const choose = (name: "kind" | "from" | "to" | "text", value: string) => {
    if (value === "") search.delete(name);
    else search.set(name, value);
    // One thing has one kind.
    if (name === "kind") search.delete("subject");
    navigate(search.size === 0 ? path : `${path}?${search}`, { replace: true });
  };
  const subject = given("subject");
  const text = given("text").trim();
  const filter = filterOf(search).toString();
  // More at once where they are looked through here: the API has no filter of texts.
  const log = useAuditLog(filter, { limit: text === "" ? 25 : 100 });
  const read = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const isBackwards = given("from") !== "" && given("to") !== "" && given("from") > given("to");
  return (
    <Page
      title="Audit log"
      description="What was changed in the account, when and by whom, the newest first."
      actions={
        <>
          <ExportButton filter={filter} text={text} />
          <Link href="/account">Account</Link>
        </>
      }
    >
      <div className="audit-filters">
        <SelectField
          label="Show"
          options={kinds}
          value={given("kind")}
          onChange={({ target }) => choose("kind", target.value)}
        />
        <TextField
          label="First day"
          type="date"
          value={given("from")}
          onChange={({ target }) => choose("from", target.value)}
          error={isBackwards ? "This is after the last day." : undefined}
        />
        <TextField
          label="Last day"
          type="date"
          value={given("to")}
          onChange={({ target }) => choose("to", target.value)}
        />
        <TextField
          label="Text"
          type="search"
          spellCheck={false}
          placeholder="name, person, value"
          value={given("text")}
          onChange={({ target }) => choose("text", target.value)}
        />
        {subject !== "" && (
          <p>
            Only changes of <code>{subject}</code>. <Link href={path}>Show all</Link>
          </p>
        )}
      </div>
      <Card isFlush>
        <PagedList
          query={log}
          rowsOf={(page) => (text === "" ? page.entries : page.entries.filter((entry) => entryHasWords(entry, text)))}
          empty={
            <EmptyState icon="account" title={search.size > 0 ? "No such changes" : "No changes yet"}>
              {text !== "" && read.length > 0
                ? `None of the ${plural(read.length, "change")} that were read has this text.`
                : search.size > 0
                  ? "Choose others, or show all."
                  : "The next change of a key, a webhook, a saved search or a setting is listed here."}
            </EmptyState>
          }
        >
          {(entries) => <AuditTable entries={entries} hasDetails />}
        </PagedList>
      </Card>
    </Page>
  );
}

/** Saves all changes that match as a CSV file. */
function ExportButton({ filter, text }: { filter: string; text: string }) {
  const read = useAllEntries();
  const toast = useToast();
  const save = () =>
    read.mutate(filter, {
      onSuccess: ({ entries, isCut }) => {
        saveCsv(
          auditCsv(text === "" ? entries : entries.filter((entry) => entryHasWords(entry, text))),
          "audit-log.csv",
        );
        if (!isCut) return;
        const description = `It has been made of the latest ${formatCount(entries.length)} changes. Choose days for older ones.`;
        toast({ title: "The file is not complete", description, type: "bad" });
      },
      onError: (error) => toast({ title: explain(error).title, description: explain(error).advice, type: "bad" }),
    });
  return (
    <Button isBusy={read.isPending} onClick={save}>
      <Icon name="download" />
      CSV
    </Button>
  );
}
