import type { ReactNode } from "react";
import type { ProblemDocument } from "../../../shared/http/problems.ts";
import { Badge } from "../components/badge.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { highlightJson } from "../components/json.tsx";
import { formatCount } from "../format/numbers.ts";
import type { ApiAnswer } from "./send.ts";
import "./answer.css";

/** The answer's title, and the content beside it. */
export function AnswerHead({ children }: { children?: ReactNode }) {
  return (
    <div className="answer-head">
      <h2>Answer</h2>
      {children}
    </div>
  );
}

/** Status, time and size. */
export function AnswerStatus({ answer: { status, milliseconds, bytes } }: { answer: ApiAnswer }) {
  return (
    <>
      <Badge tone={status < 400 ? "good" : status < 500 ? "warning" : "bad"}>
        {status} {statusWords[status] ?? ""}
      </Badge>
      <span className="muted small numeric">
        {formatCount(milliseconds)} ms · {formatCount(bytes)} bytes
      </span>
    </>
  );
}

export function AnswerHeaders({ answer: { headers } }: { answer: ApiAnswer }) {
  return (
    <Facts>
      {headers.map(([name, value]) => (
        <Fact key={name} name={name}>
          <code>{value}</code>
        </Fact>
      ))}
    </Facts>
  );
}

/** Length limit of a body on the page, in characters: a CSV file may have megabytes. */
const shownCharacters = 200_000;

/** The body: JSON with colours, or text. */
export function AnswerBody({ answer: { body } }: { answer: ApiAnswer }) {
  const isText = typeof body === "string";
  const text = isText ? body : JSON.stringify(body, null, 2);
  if (text === "") return <p className="muted small">The answer has no body.</p>;
  const shown = text.slice(0, shownCharacters);
  return (
    <>
      <CodeBlock label="answer" text={text}>
        {isText ? shown : highlightJson(shown)}
      </CodeBlock>
      {shown.length < text.length && (
        <p className="muted small">
          The first {formatCount(shownCharacters)} of {formatCount(text.length)} characters. Copy takes all of them.
        </p>
      )}
    </>
  );
}

/** Detail of a problem, or its errors by parameter. */
export function Faults({ of: { detail, errors = [] } }: { of: ProblemDocument }) {
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
  201: "Created",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
