import { Tabs } from "@base-ui/react/tabs";
import { Card } from "../components/card.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { codeFor, languages } from "./code.ts";
import type { ExplorerForm } from "./request.ts";

/** The form's request as code to copy, without the key. */
export function AsCode({ form, baseUrl }: { form: ExplorerForm; baseUrl: string }) {
  return (
    <Card>
      <Tabs.Root defaultValue="curl" className="as-code">
        <div className="as-code-head">
          <h2>Code</h2>
          <Tabs.List className="tabs-list" aria-label="Language">
            {languages.map(({ value, name }) => (
              <Tabs.Tab key={value} className="tabs-tab" value={value}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        {languages.map(({ value, name }) => (
          <Tabs.Panel key={value} value={value} tabIndex={-1} className="as-code-panel">
            <CodeBlock label={`request as ${name}`} text={codeFor(form, baseUrl, value)} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Card>
  );
}
