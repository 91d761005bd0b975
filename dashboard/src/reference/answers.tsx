import { Link } from "wouter";
import { Badge } from "../components/badge.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Code, inline } from "../components/inline.tsx";
import { highlightJson } from "../components/json.tsx";
import { examplesOf } from "./example.ts";
import { Disclosure, Field, Fields } from "./fields.tsx";
import { type Header, resolve } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { fieldsOf, plain, typeLabel, valuesOf } from "./schema.ts";
import { Text } from "./text.tsx";

type OneAnswer = Operation["answers"][number];

const isProblem = ({ status }: OneAnswer) => /^[45]\d\d$/.test(status);

/** Answers of an operation: its bodies with their fields, and its problems. */
export function Answers({ operation: { method, answers } }: { operation: Operation }) {
  const isEvent = method === "EVENT";
  const withAnchors = answers.find(({ status }) => status.startsWith("2"));
  const problems = isEvent ? [] : answers.filter(isProblem);
  return (
    <>
      <section className="stack-small" aria-labelledby="answers">
        <h2 id="answers">{isEvent ? "Your answer" : "Answers"}</h2>
        {answers
          .filter((answer) => !problems.includes(answer))
          .map((answer) => (
            <AnswerOf key={answer.status} answer={answer} hasAnchors={answer === withAnchors} />
          ))}
      </section>
      {problems.length > 0 && (
        <section className="stack-small" aria-labelledby="problems">
          <h2 id="problems">Problems</h2>
          <ul className="reference-fields">
            {problems.map((problem) => (
              <Problem key={problem.status} problem={problem} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function AnswerOf({
  answer: { status, description, content = {}, headers = {} },
  hasAnchors,
}: {
  answer: OneAnswer;
  hasAnchors: boolean;
}) {
  return (
    <div className="reference-answer stack-small">
      <div className="reference-answer-head">
        <Badge tone={status.startsWith("2") ? "good" : "plain"}>{status}</Badge>
        <Text>{description}</Text>
      </div>
      {Object.entries(content).map(([type, { schema }]) => {
        const one = plain(schema);
        const fields = fieldsOf(one);
        return (
          <div key={type} className="stack-small">
            <p className="reference-media">
              <Code>{type}</Code> <span className="reference-type">{typeLabel(one)}</span>
            </p>
            {fields === undefined ? (
              one.description !== undefined && <Text>{one.description}</Text>
            ) : (
              <Fields schema={fields} idPrefix={hasAnchors && type === "application/json" ? "answer." : undefined} />
            )}
          </div>
        );
      })}
      {Object.keys(headers).length > 0 && (
        <Disclosure title={`Headers (${Object.keys(headers).length})`}>
          <ul className="reference-fields">
            {Object.entries(headers).map(([name, given]) => {
              const { schema, description } = resolve<Header>(given);
              return <Field key={name} name={name} schema={schema} description={description} />;
            })}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

function Problem({ problem: { status, description, content = {} } }: { problem: OneAnswer }) {
  const [media] = Object.values(content);
  const type = media && plain(media.schema).properties?.type;
  const examples = media === undefined ? [] : examplesOf(media);
  return (
    <li className="reference-field" id={`problem-${status}`}>
      <div className="reference-field-head">
        <Badge tone={status.startsWith("4") ? "warning" : "bad"}>{status}</Badge>
        <span>{inline(description)}</span>
      </div>
      {type !== undefined &&
        valuesOf(plain(type)).map((value) => (
          <p key={String(value)} className="small">
            <Link href={`/reference/errors#${String(value).split(":").at(-1)}`}>
              <code>{String(value)}</code>
            </Link>
          </p>
        ))}
      {examples.length > 0 && (
        <Disclosure title={examples.length > 1 ? "Examples" : "Example"} isScriptOnly>
          {examples.map(({ name, value }) => {
            const text = JSON.stringify(value, null, 2);
            return (
              <CodeBlock key={name} label={`${name}, status ${status}`} text={text}>
                {highlightJson(text)}
              </CodeBlock>
            );
          })}
        </Disclosure>
      )}
    </li>
  );
}
