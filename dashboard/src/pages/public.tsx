import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { pagePaths } from "../../../shared/dashboard/pages.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Icon } from "../components/icon.tsx";
import { Skeleton } from "../components/states.tsx";
import { VisitorKeyProvider } from "../explorer/visitor-key.tsx";
import { Shell } from "../layout/shell.tsx";
import { NotFound } from "./not-found.tsx";

const modules = {
  reference: () => import("../reference/page.tsx"),
  changelog: () => import("../changelog/page.tsx"),
  status: () => import("../status/page.tsx"),
};
type PublicPage = keyof typeof modules;

/** The public pages, loaded on demand but for the one that `loadPublicPage` has loaded. */
const components: Record<PublicPage, ComponentType> = {
  reference: lazy(modules.reference),
  changelog: lazy(modules.changelog),
  status: lazy(modules.status),
};

/** Loads the page at an address before the first rendering, where anybody may read it: the HTML that is painted stays until all of it can take its place. */
export async function loadPublicPage(location: string): Promise<void> {
  if (!isPublicPage(location)) return;
  const page = sectionOf(location) as PublicPage;
  components[page] = (await modules[page]()).default;
  if (page === "reference") await (await modules.reference()).loadContent(location);
}

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
          <Route path={pagePaths.reference} component={components.reference} />
          <Route path={pagePaths.changelog} component={components.changelog} />
          <Route path={pagePaths.status} component={components.status} />
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
