import { useState } from "react";
import { Link } from "wouter";
import { Choice } from "../components/choice.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { highlightJson } from "../components/json.tsx";
import { useDeployment } from "../session/context.tsx";
import { examplesOf } from "./example.ts";
import type { MediaType } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { type Language, languages, samplesOf } from "./samples.ts";
import { WithoutScript } from "./static.tsx";

interface SampleChoice {
  operation: Operation;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** An operation's request and answer as examples, or an event's payload. */
export function Samples({ operation, ...choice }: SampleChoice) {
  const { method, body, answers } = operation;
  const answer = answers.find(({ status }) => status.startsWith("2"))?.content?.["application/json"];
  return (
    <>
      {method !== "EVENT" && <RequestSample operation={operation} {...choice} />}
      {method === "EVENT" && body !== undefined && <BodyExample title="Example" media={body.media} />}
      {answer !== undefined && <BodyExample title="Answer" media={answer} />}
    </>
  );
}

/** The operation's request as code. */
function RequestSample({ operation, language, onLanguage }: SampleChoice) {
  const { config } = useDeployment();
  const samples = samplesOf(operation, config.base_url);
  const text = samples[language];
  const name = languages.find(({ value }) => value === language)?.name;
  return (
    <section className="stack-small" aria-labelledby="request-sample">
      <div className="reference-sample-head">
        <h2 id="request-sample">Request</h2>
        <Choice label="Language" value={language} options={languages} onChange={onLanguage} />
      </div>
      <CodeBlock label={`request in ${name}`} text={text} />
      <WithoutScript>
        {languages
          .filter(({ value }) => value !== language)
          .map(({ value, name: other }) => (
            <CodeBlock key={value} label={`request in ${other}`} text={samples[value]} />
          ))}
        <p className="muted small">In place of {config.base_url}, use the address of this service’s API.</p>
      </WithoutScript>
      {/from funding_opp|"funding-opp/.test(text) && (
        <Link href={`/reference/clients#${language}`} className="small">
          Install the {name} client
        </Link>
      )}
    </section>
  );
}

/** A body as an example, or one of several. */
function BodyExample({ title, media }: { title: string; media: MediaType }) {
  const examples = examplesOf(media);
  const [chosen, choose] = useState(examples[0]?.name ?? "");
  const example = examples.find(({ name }) => name === chosen) ?? examples[0];
  if (example === undefined) return null;
  const text = JSON.stringify(example.value, null, 2);
  return (
    <section className="stack-small" aria-label={title}>
      <div className="reference-sample-head">
        <h2>{title}</h2>
        {examples.length > 1 && (
          <Choice
            label="Example"
            value={example.name}
            options={examples.map(({ name }) => ({ value: name, name: name.replaceAll("_", " ") }))}
            onChange={choose}
          />
        )}
      </div>
      <CodeBlock label={`${title.toLowerCase()} as JSON`} text={text}>
        {highlightJson(text)}
      </CodeBlock>
    </section>
  );
}
