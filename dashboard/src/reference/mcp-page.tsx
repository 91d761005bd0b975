import { Link } from "wouter";
import { CodeBlock } from "../components/code-block.tsx";
import { Code } from "../components/inline.tsx";
import { highlightJson } from "../components/json.tsx";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import { tools } from "./guides.generated.ts";

/** The server of the Model Context Protocol: how to connect a client, and its tools. */
export function McpPage() {
  const { config } = useDeployment();
  const url = `${config.base_url}/mcp`;
  const server = { type: "http", url, headers: { Authorization: "Bearer fo_live_..." } };
  const settings = JSON.stringify({ mcpServers: { funding: server } }, null, 2);
  return (
    <Page
      title="MCP server"
      description="The API as tools for language models: the Model Context Protocol over streamable HTTP, without sessions."
      actions={
        <Link href="/reference/guide-mcp" className="button button-secondary">
          Guide
        </Link>
      }
    >
      <section className="stack-small" aria-labelledby="mcp-address">
        <h2 id="mcp-address">Address</h2>
        <CodeBlock label="address of the MCP server" text={url} />
      </section>
      <section className="stack-small" aria-labelledby="mcp-connect">
        <h2 id="mcp-connect">Connect</h2>
        <p>
          Give a client the address and an API key. A call of a tool counts as a request; listing the tools does not.
        </p>
        <CodeBlock label="settings of an MCP client" text={settings}>
          {highlightJson(settings)}
        </CodeBlock>
      </section>
      <section className="stack-small" aria-labelledby="mcp-tools">
        <h2 id="mcp-tools">Tools</h2>
        <ul className="reference-fields">
          {tools.map(({ name, title, description }) => (
            <li key={name} id={name} className="reference-field">
              <div className="reference-field-head">
                <a href={`#${name}`} className="reference-name">
                  <Code>{name}</Code>
                </a>
                <span className="reference-type">{title}</span>
              </div>
              <p>{description}</p>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
