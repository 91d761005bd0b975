import type { ProblemDocument } from "../../../shared/http/problems.ts";
import { isProblem } from "../api/errors.ts";
import { Badge } from "../components/badge.tsx";
import { Callout } from "../components/callout.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { highlightJson } from "../components/json.tsx";
import { formatCount } from "../format/numbers.ts";
import type { ApiAnswer } from "./send.ts";

/** A response of the API: status, time, headers and body, and advice on an error. */
export function Answer({ answer: { status, milliseconds, bytes, headers, body } }: { answer: ApiAnswer }) {
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const advice = adviceFor(status);
  return (
    <div>
      <div className="answer-head">
        <Badge tone={status < 400 ? "good" : status < 500 ? "warning" : "bad"}>
          {status} {statusWords[status] ?? ""}
        </Badge>
        <span className="muted small numeric">
          {formatCount(milliseconds)} ms · {formatCount(bytes)} bytes
        </span>
      </div>
      {advice !== undefined && (
        <div className="answer-advice">
          <Callout tone="warning" title={advice}>
            {isProblem(body) && <Faults of={body} />}
          </Callout>
        </div>
      )}
      <dl className="answer-facts">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <CodeBlock label="answer" text={text}>
        {typeof body === "string" ? text : highlightJson(text)}
      </CodeBlock>
    </div>
  );
}

/** What a problem says, and about which parameters. */
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
    case 429:
      return "Today’s requests are used up.";
    default:
      return status >= 500 ? "The API had a problem. Try again in a moment." : undefined;
  }
}
