import { lazy } from "react";
import { Redirect, Route } from "wouter";
import { pagePaths } from "../../../shared/dashboard/pages.ts";
import { KeysPage } from "../keys/page.tsx";
import { OverviewPage } from "../overview/page.tsx";
import { CurrentPage } from "./public.tsx";

const AccountPage = lazy(async () => ({ default: (await import("./account.tsx")).AccountPage }));
const UsagePage = lazy(() => import("../usage/page.tsx"));
const RequestsPage = lazy(() => import("../requests/page.tsx"));
const RequestPage = lazy(() => import("../requests/single-page.tsx"));
const AuditLogPage = lazy(() => import("../audit-log/page.tsx"));
const WebhooksPage = lazy(() => import("../webhooks/list-page.tsx"));
const WebhookPage = lazy(() => import("../webhooks/page.tsx"));
const ExplorerPage = lazy(() => import("../explorer/page.tsx"));
const SavedSearchesPage = lazy(() => import("../saved-searches/page.tsx"));

/** Router of a user who is signed in. */
export function Pages() {
  return (
    <CurrentPage>
      <Route path={pagePaths.overview} component={OverviewPage} />
      <Route path={pagePaths.keys} component={KeysPage} />
      <Route path={pagePaths.usage} component={UsagePage} />
      <Route path={pagePaths.requests} component={RequestsPage} />
      <Route path={pagePaths.request} component={RequestPage} />
      <Route path={pagePaths.webhooks} component={WebhooksPage} />
      <Route path={pagePaths.webhook} component={WebhookPage} />
      <Route path={pagePaths.explorer} component={ExplorerPage} />
      <Route path={pagePaths.savedSearches} component={SavedSearchesPage} />
      <Route path={pagePaths.account} component={AccountPage} />
      <Route path={pagePaths.auditLog} component={AuditLogPage} />
      <Route path={pagePaths.signIn}>
        <Redirect to="/" replace />
      </Route>
    </CurrentPage>
  );
}
