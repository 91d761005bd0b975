import { CSPProvider } from "@base-ui/react/csp-provider";
import { AccountApiProvider } from "./api/context.tsx";
import { Skeleton } from "./components/states.tsx";
import { ToastProvider } from "./components/toasts.tsx";
import { TypedKeyProvider } from "./explorer/typed-key.tsx";
import { Shell } from "./layout/shell.tsx";
import { OpenedLink } from "./pages/opened-link.tsx";
import { Pages } from "./pages/pages.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { useSessionState } from "./session/context.tsx";

/** The sign-in page, or the dashboard if somebody is signed in. Signing out unmounts the dashboard with all its data. */
export function App() {
  const state = useSessionState();
  return (
    // The Content-Security-Policy forbids inline styles, so the component library must not write any.
    <CSPProvider disableStyleElements>
      {state.status === "starting" && (
        <main className="lonely">
          <Skeleton />
        </main>
      )}
      {state.status === "signed-out" && <SignIn because={state.because} linkProblem={state.linkProblem} />}
      {state.status === "link-opened" && <OpenedLink {...state} />}
      {state.status === "signed-in" && (
        <AccountApiProvider key={state.userId}>
          <ToastProvider>
            <TypedKeyProvider>
              <Shell email={state.email}>
                <Pages />
              </Shell>
            </TypedKeyProvider>
          </ToastProvider>
        </AccountApiProvider>
      )}
    </CSPProvider>
  );
}
