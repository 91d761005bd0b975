import { lazy, Suspense } from "react";
import { Link, Route, Switch } from "wouter";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Icon } from "../components/icon.tsx";
import { Skeleton } from "../components/states.tsx";
import { Shell } from "../layout/shell.tsx";

export const ReferencePage = lazy(() => import("../reference/page.tsx"));
export const ChangelogPage = lazy(() => import("../changelog/page.tsx"));

/** Whether anybody may read the page at an address. */
export function isPublicPage(location: string): boolean {
  return /^\/(reference|changelog)(\/|$)/.test(location);
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
      <ErrorBoundary>
        <Suspense
          fallback={
            <div className="page">
              <Skeleton />
            </div>
          }
        >
          <Switch>
            <Route path="/reference/:id?" component={ReferencePage} />
            <Route path="/changelog" component={ChangelogPage} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
