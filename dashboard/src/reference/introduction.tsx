import { Link } from "wouter";
import { CodeBlock } from "../components/code-block.tsx";
import { Icon } from "../components/icon.tsx";
import { Code, inline } from "../components/inline.tsx";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import { guides } from "./guides.generated.ts";
import { Method } from "./method.tsx";
import { openApiDocument } from "./openapi.ts";
import { groups } from "./operations.ts";
import { WithoutScript } from "./static.tsx";
import { Text } from "./text.tsx";
import { useApiLink } from "./use-api-link.ts";

/** Names of the tokens that are sent as a bearer's; another has its header's name. */
const tokenNames: Record<string, string> = { apiKey: "API key", signIn: "Sign-in token" };

/** Facts that hold for all operations, and all operations by group. */
export function Introduction() {
  const { config } = useDeployment();
  const linkTo = useApiLink();
  const { info, components } = openApiDocument;
  return (
    <Page
      title="API reference"
      description={`${info.summary} Version ${info.version}.`}
      actions={
        <a href={linkTo("/openapi")} className="button button-secondary">
          <Icon name="external" />
          OpenAPI document
        </a>
      }
    >
      <section className="stack-small" aria-labelledby="base-url">
        <h2 id="base-url">Base URL</h2>
        <CodeBlock label="address of the API" text={config.base_url} />
        <WithoutScript>
          <p>That is an example: the address of this service’s API ends in the same path.</p>
        </WithoutScript>
      </section>
      <section className="stack-small" aria-labelledby="authentication">
        <h2 id="authentication">Authentication</h2>
        <ul className="reference-fields">
          {Object.entries(components.securitySchemes).map(
            ([id, { name = tokenNames[id], description, bearerFormat }]) => (
              <li key={id} id={id} className="reference-field">
                <div className="reference-field-head">
                  <span className="reference-name">{name}</span>
                  <span className="reference-type">{bearerFormat}</span>
                </div>
                <Text>{description}</Text>
              </li>
            ),
          )}
        </ul>
      </section>
      <section className="stack-small" aria-labelledby="guides">
        <h2 id="guides">Guides</h2>
        <ul className="reference-all reference-guides">
          {guides.map(({ name, title, summary }) => (
            <li key={name}>
              <Link href={`/reference/guide-${name}`}>
                {title}
                <span>{inline(summary)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {groups.map(({ name, description, operations }) => (
        <section key={name} className="stack-small" aria-labelledby={name.toLowerCase()}>
          <div>
            <h2 id={name.toLowerCase()}>{name}</h2>
            <p className="muted">{description}</p>
          </div>
          <ul className="reference-all">
            {operations.map(({ id, method, path, summary }) => (
              <li key={id} id={id}>
                <Link href={`/reference/${id}`}>
                  <Method method={method} />
                  <Code>{path}</Code>
                  <span>{summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section className="stack-small" aria-labelledby="requests">
        <h2 id="requests">Requests and failures</h2>
        <Text>{info.description}</Text>
      </section>
    </Page>
  );
}
