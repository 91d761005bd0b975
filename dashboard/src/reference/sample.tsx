import { useState } from "react";
import { Choice } from "../components/choice.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { highlightJson } from "../components/json.tsx";
import { useDeployment } from "../session/context.tsx";
import { examplesOf } from "./example.ts";
import type { MediaType } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { type Language, languages, samplesOf } from "./samples.ts";

/** The operation's request as code. */
export function RequestSample({
  operation,
  language,
  onLanguage,
}: {
  operation: Operation;
  language: Language;
  onLanguage: (language: Language) => void;
}) {
  const { config } = useDeployment();
  const name = languages.find(({ value }) => value === language)?.name;
  return (
    <section className="stack-small" aria-labelledby="request-sample">
      <div className="reference-sample-head">
        <h2 id="request-sample">Request</h2>
        <Choice label="Language" value={language} options={languages} onChange={onLanguage} />
      </div>
      <CodeBlock label={`request in ${name}`} text={samplesOf(operation, config.base_url)[language]} />
    </section>
  );
}

/** A body as an example, or one of several. */
export function BodyExample({ title, media }: { title: string; media: MediaType }) {
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
