import { useEffect, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { Contents } from "./contents.tsx";
import { Introduction } from "./introduction.tsx";
import { OperationPage } from "./operation.tsx";
import { findOperation, groups } from "./operations.ts";
import type { Language } from "./samples.ts";
import "./page.css";

/** API reference: an introduction, and a page for each operation and event. All of it comes from the OpenAPI document. */
export default function ReferencePage() {
  const { id } = useParams<{ id?: string }>();
  const [language, setLanguage] = useState<Language>("curl");
  const [, navigate] = useLocation();
  const operation = id === undefined ? undefined : findOperation(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened
  useEffect(() => {
    const moved = movedTo(location.hash);
    if (moved !== undefined) navigate(moved, { replace: true });
    else showAnchor(location.hash);
  }, [id]);
  return (
    <div className="reference">
      <Contents current={id} />
      {operation !== undefined ? (
        <OperationPage key={operation.id} operation={operation} language={language} onLanguage={setLanguage} />
      ) : id === undefined ? (
        <Introduction />
      ) : (
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
      )}
    </div>
  );
}

/** Scrolls to the element of a fragment, which the browser looked for before it was there. */
function showAnchor(hash: string): void {
  if (hash === "") return;
  document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
}

/** The page of an operation by its address in version 1.1 of the reference: `#tag/grants/GET/grants-api`. */
function movedTo(hash: string): string | undefined {
  const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.+)$/.exec(decodeURIComponent(hash)) ?? [];
  const operations = groups.flatMap((group) => group.operations);
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  return found && `/reference/${found.id}`;
}
