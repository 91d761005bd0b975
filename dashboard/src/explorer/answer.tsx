import { type ReactNode, useState } from "react";
import type { ProblemDocument } from "../../../shared/http/problems.ts";
import { isProblem } from "../api/errors.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { Choice } from "../components/choice.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { highlightJson } from "../components/json.tsx";
import { formatCount } from "../format/numbers.ts";
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
  const { status, milliseconds, bytes, headers, body } = sent.answer;
  const [view, setView] = useState<View>("table");
  const advice = adviceFor(status);
  const hasTable = isList(body) || (status === 200 && recordIdOf(sent.form) !== undefined && isRecord(body));
  const shown = view === "table" && !hasTable ? "json" : view;
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  return (
    <>
      <AnswerHead>
        <Badge tone={status < 400 ? "good" : status < 500 ? "warning" : "bad"}>
          {status} {statusWords[status] ?? ""}
        </Badge>
        <span className="muted small numeric">
          {formatCount(milliseconds)} ms · {formatCount(bytes)} bytes
        </span>
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
        <Facts>
          {headers.map(([name, value]) => (
            <Fact key={name} name={name}>
              <code>{value}</code>
            </Fact>
          ))}
        </Facts>
      ) : shown === "json" ? (
        <CodeBlock label="answer" text={text}>
          {typeof body === "string" ? text : highlightJson(text)}
        </CodeBlock>
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

/** The answer's title, and the content beside it. */
export function AnswerHead({ children }: { children?: ReactNode }) {
  return (
    <div className="answer-head">
      <h2>Answer</h2>
      {children}
    </div>
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

/** Detail of a problem, or its errors by parameter. */
function Faults({ of: { detail, errors = [] } }: { of: ProblemDocument }) {
  if (errors.length === 0) return detail;
  return (
    <ul className="answer-faults">
      {errors.map(({ parameter, message }) => (
        <li key={`${parameter} ${message}`}>
          <code>{parameter}</code> {message}
        </li>
      ))}
    </ul>
  );
}

const statusWords: Record<number, string> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

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
