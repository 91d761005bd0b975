import { lazy, Suspense, useRef, useState } from "react";
import { Link } from "wouter";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Code, inline } from "../components/inline.tsx";
import { Skeleton } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import { Answers } from "./answers.tsx";
import { Field, Fields } from "./fields.tsx";
import { Method } from "./method.tsx";
import type { Parameter } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { Samples } from "./sample.tsx";
import type { Language } from "./samples.ts";
import { fieldsOf, plain } from "./schema.ts";

// Most readers only read.
const TryIt = lazy(() => import("./try-it.tsx"));

const places = { path: "Path parameters", query: "Query parameters", header: "Headers" };

/** An operation, or an event: its request, its answers, and both as an example. */
export function OperationPage({
  operation,
  language,
  onLanguage,
}: {
  operation: Operation;
  language: Language;
  onLanguage: (language: Language) => void;
}) {
  const { config } = useDeployment();
  const isEvent = operation.method === "EVENT";
  const [isTrying, setTrying] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closeTry = () => {
    setTrying(false);
    opener.current?.focus();
  };
  const media = operation.body?.media;
  const parametersIn = (place: Parameter["in"]) => (
    <Parameters title={places[place]} parameters={operation.parameters.filter((each) => each.in === place)} />
  );
  return (
    <Page
      title={operation.summary.replace(/\.$/, "")}
      description={operation.description && inline(operation.description)}
    >
      <div className="reference-address">
        <Method method={operation.method} />
        <Code>{isEvent ? operation.path : new URL(config.base_url).pathname + operation.path}</Code>
        {!isEvent && (
          <>
            <CopyButton
              text={config.base_url + operation.path}
              look="quiet"
              label="Copy"
              aria-label="Copy the address"
              className="reference-copy"
            />
            <Button
              ref={opener}
              look="primary"
              className="reference-try"
              aria-expanded={isTrying}
              onClick={() => (isTrying ? closeTry() : setTrying(true))}
            >
              Try it
            </Button>
          </>
        )}
      </div>
      <div className="reference-columns">
        <div className="reference-samples">
          {isTrying ? (
            <Suspense fallback={<Skeleton lines={5} />}>
              <TryIt operation={operation} onClose={closeTry} />
            </Suspense>
          ) : (
            <Samples operation={operation} language={language} onLanguage={onLanguage} />
          )}
        </div>
        <div className="reference-text">
          <Security operation={operation} />
          {parametersIn("path")}
          {parametersIn("query")}
          {media !== undefined && (
            <section className="stack-small" aria-labelledby="body">
              <h2 id="body">{isEvent ? "Payload" : "Body"}</h2>
              <Fields
                schema={fieldsOf(plain(media.schema)) ?? plain(media.schema)}
                idPrefix="body."
                isRequest={!isEvent}
              />
            </section>
          )}
          {parametersIn("header")}
          <Answers operation={operation} />
        </div>
      </div>
    </Page>
  );
}

function Parameters({ title, parameters }: { title: string; parameters: readonly Parameter[] }) {
  const id = title.toLowerCase().replace(" ", "-");
  if (parameters.length === 0) return null;
  return (
    <section className="stack-small" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="reference-fields">
        {parameters.map(({ name, schema, description, required, deprecated }) => (
          <Field
            key={name}
            id={name}
            name={name}
            schema={schema}
            description={description}
            flags={[...(required ? ["required"] : []), ...(deprecated || schema.deprecated ? ["deprecated"] : [])]}
          />
        ))}
      </ul>
    </section>
  );
}

function Security({ operation: { method, security } }: { operation: Operation }) {
  if (method === "EVENT") {
    return <p className="muted">Sent to the addresses of webhooks that subscribe to it, signed with their secret.</p>;
  }
  const needs = {
    apiKey: (
      <>
        Needs an <Link href="/keys">API key</Link> in the header <Code>Authorization</Code>
      </>
    ),
    signIn: (
      <>
        Needs the access token of somebody who <Link href="/reference#signIn">signed in</Link>, not an API key
      </>
    ),
  };
  return <p className="muted">{security === undefined ? "Needs no key" : needs[security]}.</p>;
}
