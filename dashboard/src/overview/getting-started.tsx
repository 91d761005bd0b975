import { Link } from "wouter";
import { Card } from "../components/card.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { plural } from "../format/numbers.ts";
import { useDeployment } from "../session/context.tsx";
import "./getting-started.css";

/** The first request in three steps, for an account that has not sent one yet, or has just sent it. */
export function GettingStarted({ hasKey, requests }: { hasKey: boolean; requests: number }) {
  const { config } = useDeployment();
  const exportLine = "export FUNDING_API_KEY=fo_live_…";
  const curl = [
    'curl -H "Authorization: Bearer $FUNDING_API_KEY" \\',
    `  "${config.base_url}/grants-api?search=summer+meals&search_mode=hybrid&limit=3"`,
  ].join("\n");
  return (
    <Card title="Your first request" description="Three steps, a minute or two.">
      <ol className="steps">
        <li className={hasKey ? "step step-done" : "step"}>
          <div className="stack-small">
            <h3>Create a key</h3>
            {hasKey ? (
              <p className="muted">
                You have one. <Link href="/keys">Create another</Link> if you have lost it.
              </p>
            ) : (
              <>
                <p className="muted">It is shown once. Give each program its own.</p>
                <div>
                  <Link href="/keys" className="button button-primary">
                    Create a key
                  </Link>
                </div>
              </>
            )}
          </div>
        </li>
        <li className={requests > 0 ? "step step-done" : "step"}>
          <div className="stack-small">
            <h3>Ask for grants</h3>
            <p role="status" className="muted">
              {requests > 0
                ? `It arrived: ${plural(requests, "request")} so far.`
                : hasKey && "Waiting for your first request. It shows here moments after it is answered."}
            </p>
            <p className="muted">
              Put the key in a variable, then send a request. Or <Link href="/explorer">try it in the explorer</Link>.
            </p>
            <CodeBlock label="curl request" text={`${exportLine}\n${curl}`} />
          </div>
        </li>
        <li className="step">
          <div className="stack-small">
            <h3>Read on</h3>
            <p className="muted">
              Every parameter, field and error is in the <a href={config.reference_url}>API reference</a>.
            </p>
          </div>
        </li>
      </ol>
    </Card>
  );
}
