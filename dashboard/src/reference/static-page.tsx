import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { VisitorKeyProvider } from "../explorer/visitor-key.tsx";
import { Shell } from "../layout/shell.tsx";
import { DeploymentProvider } from "../session/context.tsx";
import type { Session } from "../session/session.ts";
import { Contents } from "./contents.tsx";
import { guides } from "./guides.generated.ts";
import { groups } from "./operations.ts";
import { loadContent, ReferenceContent } from "./page.tsx";
import { StaticContext } from "./static.tsx";
import { topics } from "./topics.ts";

/** A page of the reference as HTML, for readers without JavaScript and until the scripts are there. */
export interface StaticPage {
  path: string;
  title: string;
  html: string;
}

/** Stands for the deployment's configuration, which a build does not know. */
const config: DashboardConfig = {
  base_url: "https://api.example.org/functions/v1",
  supabase_url: "https://api.example.org",
  supabase_key: "none",
  sign_in: "mail",
  reference_url: "/reference",
  changelog_url: "/changelog",
};

/** Nobody is signed in, and nothing asks. */
const session: Session = {
  state: () => ({ status: "starting" }),
  subscribe: () => () => undefined,
  accessToken: () => Promise.resolve(undefined),
  refused: () => Promise.resolve(undefined),
  retry: () => Promise.resolve(),
  redeemLink: () => Promise.resolve(),
  dismissLink: () => Promise.resolve(),
  sendLink: () => Promise.resolve(),
  signOut: () => Promise.resolve(),
};

/** All pages of the reference. What is around them is rendered once: it takes as long as all of them. */
export async function renderPages(): Promise<StaticPage[]> {
  for (const { name } of guides) await loadContent(`/reference/guide-${name}`);
  const [before = "", after = ""] = render(
    <Shell account={false}>
      <div className="reference">
        <Contents current="" />
        <i id="content-of-page" />
      </div>
    </Shell>,
  ).split('<i id="content-of-page"></i>');
  const operations = groups.flatMap((group) => group.operations);
  return [
    { id: undefined, title: "API reference" },
    ...topics,
    ...guides.map(({ name, title }) => ({ id: `guide-${name}`, title })),
    ...operations.map(({ id, summary }) => ({ id, title: summary.replace(/\.$/, "") })),
  ].map(({ id, title }) => {
    const path = id === undefined ? "/reference" : `/reference/${id}`;
    return { path, title, html: markCurrent(before, path) + render(<ReferenceContent id={id} />) + after };
  });
}

/** Marks the link to a page in the list as that of the current page. */
function markCurrent(html: string, path: string): string {
  const link = `<a href="${path}" class="reference-link">`;
  if (!html.includes(link)) throw new Error(`the list of operations has no link to ${path}`);
  return html.replace(link, link.replace(">", ' aria-current="page">'));
}

/** Renders what `PublicPages` shows until it is known whether somebody is signed in: nothing moves when the scripts take over. */
function render(content: ReactNode): string {
  return renderToStaticMarkup(
    <StaticContext value={0}>
      <DeploymentProvider config={config} session={session}>
        <Router ssrPath="/reference">
          <VisitorKeyProvider>{content}</VisitorKeyProvider>
        </Router>
      </DeploymentProvider>
    </StaticContext>,
  ).replace(/^<link rel="preload"[^>]*>/, "");
}
