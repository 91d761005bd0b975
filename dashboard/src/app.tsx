import { CSPProvider } from "@base-ui/react/csp-provider";
import { AccountApiProvider } from "./api/context.tsx";
import { Skeleton } from "./components/states.tsx";
import { ToastProvider } from "./components/toasts.tsx";
import { TypedKeyProvider } from "./explorer/typed-key.tsx";
import { Shell } from "./layout/shell.tsx";
import { Pages } from "./pages/pages.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { useSessionState } from "./session/context.tsx";

/** The sign-in, or for who is signed in the dashboard. Signing out forgets all that the dashboard knew. */
export function App() {
  const state = useSessionState();
  return (
    // Policy allows no inline styles, so the component library is told to write none.
    <CSPProvider disableStyleElements>
      {state.status === "starting" && (
        <main className="lonely">
          <Skeleton />
        </main>
      )}
      {state.status === "signed-out" && <SignIn because={state.because} linkProblem={state.linkProblem} />}
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
