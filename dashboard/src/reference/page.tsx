import { type ComponentType, useEffect, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { ClientsPage } from "./clients-page.tsx";
import { Contents } from "./contents.tsx";
import { ErrorsPage } from "./errors-page.tsx";
import type { GuideId } from "./guide-pages.ts";
import { HeadersPage } from "./headers-page.tsx";
import { Introduction } from "./introduction.tsx";
import { McpPage } from "./mcp-page.tsx";
import { OperationPage } from "./operation.tsx";
import { findOperation, groups } from "./operations.ts";
import type { Language } from "./samples.ts";
import { useHash } from "./use-hash.ts";
import "./page.css";

const guides: Readonly<Record<GuideId, ComponentType>> = {
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
  const Guide = id in guides ? guides[id as GuideId] : undefined;
  if (Guide !== undefined) return <Guide />;
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

/** Scrolls to the element of a fragment, which the browser looked for before it was there, and moves the focus to its link. */
function showAnchor(hash: string): void {
  if (hash === "") return;
  const element = document.getElementById(decodeURIComponent(hash.slice(1)));
  element?.scrollIntoView();
  if (document.activeElement !== document.body) element?.querySelector("a")?.focus({ preventScroll: true });
}

/** The page of an operation by its address in version 1.1 of the reference: `#tag/grants/GET/grants-api`. */
function movedTo(hash: string): string | undefined {
  const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.+)$/.exec(decodeURIComponent(hash)) ?? [];
  const operations = groups.flatMap((group) => group.operations);
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  return found && `/reference/${found.id}`;
}
