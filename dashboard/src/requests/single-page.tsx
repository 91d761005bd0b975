import type { ReactNode } from "react";
import { Link, useParams } from "wouter";
import { type LoggedRequest, useLoggedRequest } from "../api/requests.ts";
import { Card } from "../components/card.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { inline } from "../components/inline.tsx";
import { Loaded } from "../components/loaded.tsx";
import { formatDate, formatExactTime, formatRelative } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import { curlOf } from "./curl.ts";
import { Status } from "./table.tsx";

/** One request: its answer, its parameters, and the problem. */
export default function RequestPage() {
  const { id = "" } = useParams<{ id: string }>();
  const request = useLoggedRequest(decodeURIComponent(id));
  return (
    <Page
      title="Request"
      description={<code>{decodeURIComponent(id)}</code>}
      actions={<Link href="/requests">All requests</Link>}
    >
      <Loaded query={request}>{(data) => <Details request={data} />}</Loaded>
    </Page>
  );
}

function Details({ request }: { request: LoggedRequest }) {
  const { at, method, endpoint, status, duration_ms, key, problem, head, parameters, withheld } = request;
  const address = explorerAddress(request);
  const { config } = useDeployment();
  const command = curlOf(request, config.base_url);
  const isEmpty = Object.keys(parameters).length + Object.keys(withheld).length === 0;
  return (
    <>
      <Card title={`${method} /${endpoint}`}>
        <Facts>
          <Fact name="Status">
            <Status status={status} />
          </Fact>
          {problem !== null && (
            <Fact name="Problem">
              <div className="stack-small">
                <code>{problem.name}</code>
                {problem.errors.length > 1 ? <Errors errors={problem.errors} /> : <p>{inline(problem.detail)}</p>}
              </div>
            </Fact>
          )}
          <Fact name="Time">
            {formatDate(at)}, {formatExactTime(at)} <span className="muted">({formatRelative(at)})</span>
          </Fact>
          <Fact name="Answered in">{formatCount(Math.round(duration_ms * 10) / 10)} ms</Fact>
          <Fact name="Key">
            <Link href={`/requests?key_id=${key.id}`}>{key.name}</Link>
          </Fact>
        </Facts>
      </Card>
      <Card title="Parameters" actions={address !== undefined && <Link href={address}>Open in the explorer</Link>}>
        {isEmpty ? (
          <p className="muted">The log has none for this request.</p>
        ) : (
          <Facts>
            {Object.entries(parameters).map(([name, value]) => (
              <Fact key={name} name={name}>
                <code>{value}</code>
              </Fact>
            ))}
            {Object.entries(withheld).map(([name, characters]) => (
              <Fact key={name} name={name}>
                <span className="muted">{formatCount(characters)} characters, not kept</span>
              </Fact>
            ))}
          </Facts>
        )}
      </Card>
      {Object.keys(head).length > 0 && (
        <Card title="Head of the answer">
          <Facts>
            {Object.entries(head).map(([name, value]) => (
              <Fact key={name} name={name}>
                <code>{value}</code>
              </Fact>
            ))}
          </Facts>
        </Card>
      )}
      {command !== undefined && (
        <Card title="As curl" description={descriptionOf(Object.keys(withheld))}>
          <CodeBlock label="request as curl" text={command} />
        </Card>
      )}
    </>
  );
}

/** All wrong parameters or fields of a request. */
function Errors({ errors }: { errors: readonly { parameter: string; message: string }[] }) {
  return (
    <ul className="request-errors">
      {errors.map(({ parameter, message }) => (
        <li key={`${parameter} ${message}`}>
          <code>{parameter}</code> {inline(message)}
        </li>
      ))}
    </ul>
  );
}

/** @param withheld parameters whose texts are not kept. */
function descriptionOf(withheld: readonly string[]): ReactNode {
  const key = (
    <>
      Sends it again, with the key in <code>FUNDING_API_KEY</code>.
    </>
  );
  if (withheld.length === 0) return key;
  return (
    <>
      {key} Add <code>{withheld.join(", ")}</code>, whose text is not kept.
    </>
  );
}

const datasets: Readonly<Record<string, string>> = {
  "grants-api": "grants",
  "contracts-api": "contracts",
  "funders-api": "funders",
  "grants-api/search": "grants",
  "contracts-api/search": "contracts",
  "funders-api/search": "funders",
  "grants-api/{id}": "grants",
  "contracts-api/{id}": "contracts",
  "funders-api/{id}": "funders",
  "semantic-search": "semantic",
};

/** Address of the explorer with the request's parameters, or undefined for what the explorer does not send. */
function explorerAddress({ endpoint, parameters }: LoggedRequest): string | undefined {
  const dataset = datasets[endpoint];
  return dataset && `/explorer?${new URLSearchParams({ dataset, ...parameters })}`;
}
