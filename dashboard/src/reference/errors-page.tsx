import { Badge } from "../components/badge.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Code } from "../components/inline.tsx";
import { highlightJson } from "../components/json.tsx";
import { Page } from "../layout/page.tsx";
import { Disclosure } from "./fields.tsx";
import { type DescribedProblem, problems } from "./problems.ts";

/** Every problem that the API answers with. */
export function ErrorsPage() {
  return (
    <Page title="Errors" description="Failures are problem documents (RFC 9457). Switch on their type.">
      <ul className="reference-fields">
        {problems.map((problem) => (
          <Problem key={problem.name} problem={problem} />
        ))}
      </ul>
    </Page>
  );
}

function Problem({ problem: { name, type, status, title, example } }: { problem: DescribedProblem }) {
  const text = JSON.stringify(example, null, 2);
  return (
    <li className="reference-field" id={name}>
      <div className="reference-field-head">
        <Badge tone={status.startsWith("4") ? "warning" : "bad"}>{status}</Badge>
        <a href={`#${name}`} className="reference-name">
          {title}
        </a>
      </div>
      <p className="small">
        <Code>{type}</Code>
      </p>
      {example !== undefined && (
        <Disclosure title="Example">
          <CodeBlock label={`example of ${name}`} text={text}>
            {highlightJson(text)}
          </CodeBlock>
        </Disclosure>
      )}
    </li>
  );
}
