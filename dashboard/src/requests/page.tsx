import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { useAccount, useKeys, useUsage } from "../api/account.ts";
import { useKeepSearchText, useRequests } from "../api/requests.ts";
import { Card } from "../components/card.tsx";
import { CheckField } from "../components/check-field.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { FormError } from "../components/form-error.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { EmptyState } from "../components/states.tsx";
import { plural } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { LastHour } from "./last-hour.tsx";
import { RequestTable } from "./table.tsx";
import { requestHasWords } from "./texts.ts";
import "./page.css";

const statuses = [
  ["", "All statuses"],
  ["2xx", "2xx: answered"],
  ["3xx", "3xx: not modified"],
  ["4xx", "4xx: refused"],
  ["5xx", "5xx: our errors"],
] as const;

const ages = [
  ["", "All that are kept"],
  ["1", "The last hour"],
  ["24", "The last day"],
] as const;

type FilterName = "status" | "endpoint" | "key_id" | "hours" | "request_id" | "text" | "live";

/** The account's requests, one by one. The filters are in the address. */
export default function RequestsPage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const given = (name: FilterName) => search.get(name) ?? "";
  const choose = (name: FilterName, value: string) => {
    if (value === "") search.delete(name);
    else search.set(name, value);
    navigate(search.size === 0 ? "/requests" : `/requests?${search}`, { replace: true });
  };
  const keys = useKeys();
  const usage = useUsage();
  const isLive = given("live") !== "";
  const hours = Number(given("hours"));
  // From when it is chosen: one that moved on would be another list, without the pages that were read.
  const since = useMemo(
    () => (hours > 0 ? new Date(Date.now() - hours * 3_600_000).toISOString() : undefined),
    [hours],
  );
  const text = given("text").trim();
  // More at once where they are looked through here: the API has no filter of texts.
  const requests = useRequests(filterOf(search, since), { isLive, limit: text === "" ? 25 : 100 });
  const read = requests.data?.pages.flatMap((page) => page.requests) ?? [];
  const hasFilter = ["status", "endpoint", "key_id", "hours", "request_id", "text"].some((name) => search.has(name));
  const endpoints = (usage.data?.endpoints ?? []).map(({ endpoint }) => endpoint).sort();
  return (
    <Page
      title="Requests"
      description="Requests with your keys, one by one, the newest first. A request appears moments after its answer, and is kept for some days."
      actions={
        <CheckField label="Live" isChecked={isLive} onChange={(isChecked) => choose("live", isChecked ? "on" : "")} />
      }
    >
      <div className="request-filters">
        <SelectField
          label="Status"
          options={statuses}
          value={given("status")}
          onChange={({ target }) => choose("status", target.value)}
        />
        <SelectField
          label="Route"
          options={[
            ["", "All routes"],
            ...withChosen(endpoints, given("endpoint")).map((name) => [name, `/${name}`] as const),
          ]}
          value={given("endpoint")}
          onChange={({ target }) => choose("endpoint", target.value)}
        />
        <SelectField
          label="Key"
          options={[
            ["", "All keys"],
            ...(keys.data ?? []).map(({ id, name, display }) => [id, `${name} (${display})`] as const),
          ]}
          value={given("key_id")}
          onChange={({ target }) => choose("key_id", target.value)}
        />
        <SelectField
          label="Time"
          options={ages}
          value={given("hours")}
          onChange={({ target }) => choose("hours", target.value)}
        />
        <TextField
          label="Request id"
          type="search"
          spellCheck={false}
          placeholder="X-Request-Id of an answer"
          value={given("request_id")}
          onChange={({ target }) => choose("request_id", target.value.trim())}
        />
        <TextField
          label="Text"
          type="search"
          spellCheck={false}
          placeholder="parameter, error, key"
          value={given("text")}
          onChange={({ target }) => choose("text", target.value)}
        />
      </div>
      {given("request_id") === "" && <LastHour filter={filterOf(search, undefined)} />}
      <Card isFlush>
        <PagedList
          query={requests}
          rowsOf={(page) =>
            text === "" ? page.requests : page.requests.filter((request) => requestHasWords(request, text))
          }
          empty={
            <EmptyState icon="requests" title={hasFilter ? "No such requests" : "No requests yet"}>
              {text !== "" && read.length > 0
                ? `None of the ${plural(read.length, "request")} that were read has this text.`
                : hasFilter
                  ? "Choose fewer filters to see others."
                  : "Send one from the explorer, or with a key of yours."}
            </EmptyState>
          }
        >
          {(rows) => <RequestTable requests={rows} />}
        </PagedList>
      </Card>
      <SearchTexts />
    </Page>
  );
}

/** The choice whether texts that are searched for are kept. */
function SearchTexts() {
  const account = useAccount();
  const keep = useKeepSearchText();
  if (account.data === undefined) return null;
  return (
    <Card
      title="Searches"
      description="The log keeps how long the text of a search is. It keeps the text itself only if you choose so, and stops showing it when you switch that off."
    >
      {account.data.role === "owner" ? (
        <CheckField
          label="Keep the text of searches from now on"
          isChecked={keep.isPending ? keep.variables : account.data.keeps_search_text}
          onChange={(isChecked) => keep.mutate(isChecked)}
        />
      ) : (
        <p>
          The text of searches is {account.data.keeps_search_text ? "kept" : "not kept"}. Owners of the account can
          change this.
        </p>
      )}
      <FormError error={keep.error} />
    </Card>
  );
}

/**
 * The API's filter that an address has.
 *
 * @param since moment that the address's hours begin at, in RFC 3339; undefined without any.
 */
function filterOf(search: URLSearchParams, since: string | undefined): string {
  const filter = new URLSearchParams();
  for (const name of ["status", "endpoint", "key_id", "request_id"]) {
    const value = search.get(name);
    if (value !== null) filter.set(name, value);
  }
  if (since !== undefined) filter.set("since", since);
  return filter.toString();
}

function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === "" || names.includes(chosen) ? names : [...names, chosen];
}
