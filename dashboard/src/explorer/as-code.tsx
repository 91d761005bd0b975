import { Tabs } from "@base-ui/react/tabs";
import { Card } from "../components/card.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { type ApiRequest, asCurl, asTypeScript } from "./request.ts";

/** The request as code to copy, without the key. */
export function AsCode({ request }: { request: ApiRequest }) {
  return (
    <Card title="As code" description="The code reads the key from the environment variable FUNDING_API_KEY.">
      <Tabs.Root defaultValue="curl">
        <Tabs.List className="tabs-list">
          <Tabs.Tab className="tabs-tab" value="curl">
            curl
          </Tabs.Tab>
          <Tabs.Tab className="tabs-tab" value="typescript">
            TypeScript
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" tabIndex={-1}>
          <CodeBlock label="request as curl" text={asCurl(request)} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript" tabIndex={-1}>
          <CodeBlock label="request as TypeScript" text={asTypeScript(request)} />
        </Tabs.Panel>
      </Tabs.Root>
    </Card>
  );
}
