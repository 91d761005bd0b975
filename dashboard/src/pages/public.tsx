import { lazy, type ReactNode, Suspense } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { pagePaths } from "../../../shared/dashboard/pages.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Icon } from "../components/icon.tsx";
import { Skeleton } from "../components/states.tsx";
import { VisitorKeyProvider } from "../explorer/visitor-key.tsx";
import { Shell } from "../layout/shell.tsx";
import { NotFound } from "./not-found.tsx";

const ReferencePage = lazy(() => import("../reference/page.tsx"));
const ChangelogPage = lazy(() => import("../changelog/page.tsx"));
const StatusPage = lazy(() => import("../status/page.tsx"));

/** Whether anybody may read the page at an address. */
export function isPublicPage(location: string): boolean {
  return /^\/(reference|changelog|status)(\/|$)/.test(location);
}

/** Part of the site that a page is in. The pages of the reference are one, so that the list of operations stays. */
function sectionOf(location: string): string {
  return isPublicPage(location) ? (location.split("/")[1] ?? "") : location;
}

/** The page at the current address: by one of these routes, or a public one. */
export function CurrentPage({ children }: { children?: ReactNode }) {
  const [location] = useLocation();
  const fallback = (
    <div className="page">
      <Skeleton />
    </div>
  );
  return (
    <ErrorBoundary key={sectionOf(location)}>
      <Suspense fallback={fallback}>
        <Switch>
          {children}
          <Route path={pagePaths.reference} component={ReferencePage} />
          <Route path={pagePaths.changelog} component={ChangelogPage} />
          <Route path={pagePaths.status} component={StatusPage} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The public pages in the dashboard's shell, for a visitor who is not signed in. */
export function PublicPages({ isStarting }: { isStarting: boolean }) {
  return (
    <Shell
      account={
        // Until it is known whether somebody is signed in, neither is said.
        !isStarting && (
          <Link href="/sign-in" className="button button-quiet">
            <Icon name="account" />
            Sign in
          </Link>
        )
      }
    >
      <VisitorKeyProvider>
        <CurrentPage />
      </VisitorKeyProvider>
    </Shell>
  );
}
