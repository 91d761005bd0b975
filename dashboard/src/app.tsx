import { CSPProvider } from "@base-ui/react/csp-provider";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { isKnownPage } from "../../shared/dashboard/pages.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { Skeleton } from "./components/states.tsx";
import { isPublicPage, PublicPages } from "./pages/public.tsx";
import { useSessionState } from "./session/context.tsx";

// Each visitor needs one of these, and readers of the public pages none.
const SignedIn = lazy(() => import("./signed-in.tsx"));
const SignIn = lazy(async () => ({ default: (await import("./pages/sign-in.tsx")).SignIn }));
const SignInUnreachable = lazy(async () => ({ default: (await import("./pages/sign-in.tsx")).SignInUnreachable }));
const OpenedLink = lazy(async () => ({ default: (await import("./pages/opened-link.tsx")).OpenedLink }));

/** The dashboard if somebody is signed in; otherwise the sign-in page, or the page that anybody may read. */
export function App() {
  const state = useSessionState();
  const [location] = useLocation();
  // Nobody has to sign in to be told that there is nothing.
  const isPublic = isPublicPage(location) || !isKnownPage(location);
  const outline = isPublic ? (
    <PublicPages isStarting />
  ) : (
    <main className="lonely">
      <Skeleton />
    </main>
  );
  return (
    // The Content-Security-Policy forbids inline styles, so the component library must not write any.
    <CSPProvider disableStyleElements>
      <ErrorBoundary>
        <Suspense fallback={outline}>
          {state.status === "starting" && outline}
          {state.status === "signed-out" &&
            (isPublic ? (
              <PublicPages isStarting={false} />
            ) : (
              <SignIn because={state.because} linkProblem={state.linkProblem} />
            ))}
          {state.status === "unreachable" &&
            (isPublic ? <PublicPages isStarting={false} /> : <SignInUnreachable isBusy={state.isBusy} />)}
          {state.status === "link-opened" && <OpenedLink {...state} />}
          {state.status === "signed-in" && <SignedIn userId={state.userId} email={state.email} />}
        </Suspense>
      </ErrorBoundary>
    </CSPProvider>
  );
}
