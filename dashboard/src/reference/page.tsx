import { guideTexts } from "virtual:guides";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { showAnchor } from "./anchor.ts";
import { ClientsPage } from "./clients-page.tsx";
import { Contents } from "./contents.tsx";
import { ErrorsPage } from "./errors-page.tsx";
import { guides } from "./guides.generated.ts";
import { HeadersPage } from "./headers-page.tsx";
import { Introduction } from "./introduction.tsx";
import { McpPage } from "./mcp-page.tsx";
import { OperationPage } from "./operation.tsx";
import { findOperation, groups } from "./operations.ts";
import type { Language } from "./samples.ts";
import type { TopicId } from "./topics.ts";
import { useHash } from "./use-hash.ts";
import "./page.css";

/** Pages of the guides by their names, loaded on demand but for that which `loadContent` has loaded. */
const guidePages = new Map<string, ComponentType>(
  guides.map(({ name, title }) => [name, lazy(async () => ({ default: await loadGuide(name, title) }))]),
);

/** Loads a guide's text, and what shows it. */
async function loadGuide(name: string, title: string): Promise<ComponentType> {
  const [{ default: GuidePage }, text] = await Promise.all([import("./guide-page.tsx"), guideTexts[name]?.()]);
  return () => <GuidePage title={title} tokens={text?.default ?? []} />;
}

/** Loads what the page at an address needs besides this module, before it is rendered for the first time. */
export async function loadContent(path: string): Promise<void> {
  const guide = guides.find(({ name }) => path === `/reference/guide-${name}`);
  if (guide !== undefined) guidePages.set(guide.name, await loadGuide(guide.name, guide.title));
}

/** Pages about all operations. */
const topicPages: Readonly<Record<TopicId, ComponentType>> = {
  errors: ErrorsPage,
  headers: HeadersPage,
  mcp: McpPage,
  clients: ClientsPage,
};

/** API reference: an introduction, and a page for each operation and event. All of it comes from the OpenAPI document. */
export default function ReferencePage() {
  const { id } = useParams<{ id?: string }>();
  const [, navigate] = useLocation();
  const hash = useHash();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened
  useEffect(() => {
    const moved = movedTo(hash);
    if (moved !== undefined) navigate(moved, { replace: true });
    else showAnchor(hash);
  }, [id, hash]);
  return (
    <div className="reference">
      <Contents current={id} />
      <ReferenceContent id={id} />
    </div>
  );
}

/** The page with an id; without one the introduction. */
export function ReferenceContent({ id }: { id: string | undefined }) {
  const [language, setLanguage] = useState<Language>("curl");
  if (id === undefined) return <Introduction />;
  const operation = findOperation(id);
  if (operation !== undefined) {
    return <OperationPage key={id} operation={operation} language={language} onLanguage={setLanguage} />;
  }
  const GuidePage = guidePages.get(id.replace(/^guide-/, ""));
  if (GuidePage !== undefined && id.startsWith("guide-")) {
    return (
      <Suspense fallback={<div className="page" />}>
        <GuidePage key={id} />
      </Suspense>
    );
  }
  const Topic = id in topicPages ? topicPages[id as TopicId] : undefined;
  if (Topic !== undefined) return <Topic />;
  return (
    <Page title="No such operation">
      <EmptyState
        icon="reference"
        title={`Nothing here has the name ${id}`}
        action={
          <Link href="/reference" className="button button-secondary">
            Go to the introduction
          </Link>
        }
      >
        It may have another name in this version of the API.
      </EmptyState>
    </Page>
  );
}

/** The page of an operation by its address in version 1.1 of the reference: `#tag/grants/GET/grants-api`. */
function movedTo(hash: string): string | undefined {
  const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.+)$/.exec(decodeURIComponent(hash)) ?? [];
  const operations = groups.flatMap((group) => group.operations);
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  return found && `/reference/${found.id}`;
}
