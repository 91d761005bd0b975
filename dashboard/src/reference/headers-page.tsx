import { Page } from "../layout/page.tsx";
import { Field } from "./fields.tsx";
import { answerHeaders, type DescribedHeader, requestHeaders } from "./headers.ts";

/** Headers of requests and answers. */
export function HeadersPage() {
  return (
    <Page title="Headers" description="Each operation says which of them it takes and answers.">
      <Headers id="request-headers" title="Of requests" headers={requestHeaders} />
      <Headers id="answer-headers" title="Of answers" headers={answerHeaders} />
    </Page>
  );
}

function Headers({ id, title, headers }: { id: string; title: string; headers: readonly DescribedHeader[] }) {
  return (
    <section className="stack-small" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="reference-fields">
        {headers.map(({ id: anchor, name, described }) => (
          <Field key={anchor} id={anchor} name={name} schema={described.schema} description={described.description} />
        ))}
      </ul>
    </section>
  );
}
