import client from "../../../packages/client/package.json";
import { CodeBlock } from "../components/code-block.tsx";
import { pythonCall, typescriptCall } from "../components/code-literals.ts";
import { Code } from "../components/inline.tsx";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";

const packTypescript = `cd funding-opportunities-api
npm ci
(cd packages/client && npm pack --pack-destination ../../../my-project)
cd ../my-project
npm install ./funding-opportunities-client-${client.version}.tgz`;

const installPython = `cd funding-opportunities-api
pip install ./packages/python`;

/** How to install the clients that samples import. Neither is in a registry: packages/client/README.md, packages/python/README.md. */
export function ClientsPage() {
  const { config } = useDeployment();
  return (
    <Page
      title="Client libraries"
      description="The clients that samples import. Both are in the repository of the service."
    >
      <section className="stack-small" aria-labelledby="typescript">
        <h2 id="typescript">TypeScript</h2>
        <p>
          <Code>funding-opportunities-client</Code> is not on the npm registry. Pack it from a checkout, and install the
          file. It runs on Node 20 and newer, Deno, Bun, Cloudflare Workers and in browsers.
        </p>
        <CodeBlock label="commands that install the TypeScript client" text={packTypescript} />
        <CodeBlock
          label="a call in TypeScript"
          text={typescriptCall(config.base_url, 'console.log(await client.grants.count({ status: "open" }));')}
        />
      </section>
      <section className="stack-small" aria-labelledby="python">
        <h2 id="python">Python</h2>
        <p>
          <Code>funding_opportunities</Code> is not on PyPI. Install it from a checkout. It needs Python 3.11 or newer.
        </p>
        <CodeBlock label="commands that install the Python client" text={installPython} />
        <CodeBlock
          label="a call in Python"
          text={pythonCall(config.base_url, 'print(client.grants.list(status="open").count())')}
        />
      </section>
    </Page>
  );
}
