import { useState } from "react";
import { isProblem } from "../api/errors.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { Choice } from "../components/choice.tsx";
import { formatCount } from "../format/numbers.ts";
import { AnswerBody, AnswerHead, AnswerHeaders, AnswerStatus, Faults } from "./answer-parts.tsx";
import { isList, isRecord, type ListBody } from "./body.ts";
import type { Dataset } from "./datasets.ts";
import { FacetCounts } from "./facet-counts.tsx";
import { RecordFields } from "./record-fields.tsx";
import { recordIdOf } from "./request.ts";
import { ResultsTable } from "./results-table.tsx";
import type { Sent } from "./run.ts";

const views = [
  { value: "table", name: "Table" },
  { value: "json", name: "JSON" },
  { value: "headers", name: "Headers" },
] as const;
type View = (typeof views)[number]["value"];

/** Actions on an answer. Each sends another request. */
export interface AnswerActions {
  onOpen: (dataset: Dataset, id: string) => void;
  onFilter: (name: string, value: string) => void;
  onPage: (cursor: string) => void;
  /** Back to the list that a record was opened from; undefined where there is none. */
  onBack: (() => void) | undefined;
}

/** A response of the API: status, time, records or JSON, headers, and advice on an error. */
export function Answer({ sent, ...actions }: { sent: Sent } & AnswerActions) {
  const { status, body } = sent.answer;
  const [view, setView] = useState<View>("table");
  const advice = adviceFor(status);
  const hasTable = isList(body) || (status === 200 && recordIdOf(sent.form) !== undefined && isRecord(body));
  const shown = view === "table" && !hasTable ? "json" : view;
  return (
    <>
      <AnswerHead>
        <AnswerStatus answer={sent.answer} />
        <Choice
          label="View"
          value={shown}
          options={hasTable ? views : views.filter(({ value }) => value !== "table")}
          onChange={setView}
        />
      </AnswerHead>
      {advice !== undefined && (
        <Callout tone="warning" title={advice}>
          {isProblem(body) && <Faults of={body} />}
        </Callout>
      )}
      <Position body={status === 200 && isList(body) ? body : undefined} sent={sent} {...actions} />
      {shown === "headers" ? (
        <AnswerHeaders answer={sent.answer} />
      ) : shown === "json" ? (
        <AnswerBody answer={sent.answer} />
      ) : isList(body) ? (
        <>
          {body.facets !== undefined && <FacetCounts facets={body.facets} onFilter={actions.onFilter} />}
          <ResultsTable dataset={sent.form.dataset} records={body.results} onOpen={actions.onOpen} />
        </>
      ) : (
        isRecord(body) && <RecordFields record={body} dataset={sent.form.dataset} onOpen={actions.onOpen} />
      )}
    </>
  );
}

/** Where in a list the answer is, and the ways on from it. */
function Position({
  body,
  sent,
  onPage,
  onBack,
}: { body: ListBody | undefined; sent: Sent } & Pick<AnswerActions, "onPage" | "onBack">) {
  const next = body?.pagination?.next;
  const total = body?.pagination?.total;
  const isLater = (sent.form.values.cursor ?? "") !== "" && body !== undefined;
  if (total === undefined && onBack === undefined) return null;
  return (
    <div className="answer-position">
      {onBack !== undefined && <BackToList onClick={onBack} />}
      {body !== undefined && total !== undefined && (
        <span className="numeric">
          {formatCount(body.results.length)} of <strong>{formatCount(total)}</strong> that match
        </span>
      )}
      {isLater && (
        <Button look="quiet" onClick={() => onPage("")}>
          First page
        </Button>
      )}
      {typeof next === "string" && <Button onClick={() => onPage(next)}>Next page</Button>}
    </div>
  );
}

/** Leads back to the list that a record was opened from, also where the record did not come. */
export function BackToList({ onClick }: { onClick: () => void }) {
  return <Button onClick={onClick}>Back to the list</Button>;
}

function adviceFor(status: number): string | undefined {
  switch (status) {
    case 400:
      return "A parameter is not valid.";
    case 401:
      return "The key is mistyped, expired or revoked. Check your list of keys.";
    case 403:
      return "The key is valid, but its account has no API access.";
    case 404:
      return "There is no record with this id.";
    case 429:
      return "Today’s requests are used up.";
    default:
      return status >= 500 ? "The API had a problem. Try again in a moment." : undefined;
  }
}
