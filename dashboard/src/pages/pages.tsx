import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Skeleton } from "../components/states.tsx";
import { KeysPage } from "../keys/page.tsx";
import { OverviewPage } from "../overview/page.tsx";
import { NotFound } from "./not-found.tsx";
import { ChangelogPage, ReferencePage, StatusPage, sectionOf } from "./public.tsx";

const AccountPage = lazy(async () => ({ default: (await import("./account.tsx")).AccountPage }));
const UsagePage = lazy(() => import("../usage/page.tsx"));
const RequestsPage = lazy(() => import("../requests/page.tsx"));
const RequestPage = lazy(() => import("../requests/single-page.tsx"));
const AuditLogPage = lazy(() => import("../audit-log/page.tsx"));
const WebhooksPage = lazy(() => import("../webhooks/list-page.tsx"));
const WebhookPage = lazy(() => import("../webhooks/page.tsx"));
const ExplorerPage = lazy(() => import("../explorer/page.tsx"));
const SavedSearchesPage = lazy(() => import("../saved-searches/page.tsx"));

/** Router: renders the page at the current address. */
export function Pages() {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={sectionOf(location)}>
      <Suspense
        fallback={
          <div className="page">
            <Skeleton />
          </div>
        }
      >
        <Switch>
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
          <Route path="/reference/:id?" component={ReferencePage} />
          <Route path="/changelog" component={ChangelogPage} />
          <Route path="/status" component={StatusPage} />
          <Route path="/sign-in">
            <Redirect to="/" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
