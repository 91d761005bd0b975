import { lazy } from "react";
import { Redirect, Route } from "wouter";
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
      <Route path="/" component={OverviewPage} />
      <Route path="/keys" component={KeysPage} />
      <Route path="/usage" component={UsagePage} />
      <Route path="/requests" component={RequestsPage} />
      <Route path="/requests/:id" component={RequestPage} />
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/webhooks/:id" component={WebhookPage} />
      <Route path="/explorer" component={ExplorerPage} />
      <Route path="/saved-searches" component={SavedSearchesPage} />
      <Route path="/account" component={AccountPage} />
      <Route path="/account/audit-log" component={AuditLogPage} />
      <Route path="/sign-in">
        <Redirect to="/" replace />
      </Route>
    </CurrentPage>
  );
}
