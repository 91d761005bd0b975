import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { requestTimeoutMs } from "./api/timeout.ts";
import { App } from "./app.tsx";
import { ErrorState } from "./components/states.tsx";
import { loadPublicPage } from "./pages/public.tsx";
import { DeploymentProvider } from "./session/context.tsx";
import { takeSignInLink } from "./session/sign-in-link.ts";
import "./styles/base.css";

/** Taken out of the address before anything else, so that its token is there as briefly as possible. */
const openedWith = takeSignInLink();
/** Loaded beside the configuration: the page can be shown without it. */
const session = import("./session/session.ts");
const root = createRoot(document.getElementById("root") ?? document.body);

/** Loads the configuration, which has the addresses of the API and of the sign-in, and renders the page. */
async function start(): Promise<void> {
  const answer = await fetch("/config.json", { signal: AbortSignal.timeout(requestTimeoutMs) });
  if (!answer.ok) throw new Error(`config.json: ${answer.status}`);
  const config = (await answer.json()) as DashboardConfig;
  const { startSession } = await session;
  await loadPublicPage(location.pathname);
  root.render(
    <StrictMode>
      <DeploymentProvider config={config} session={startSession(config, openedWith)}>
        <App />
      </DeploymentProvider>
    </StrictMode>,
  );
}

/** Starts, or explains why not. Its retry does not reload the page, which would lose the sign-in link. */
function startOrExplain(): void {
  start().catch((error: unknown) => {
    root.render(
      <main className="lonely">
        <h1 className="visually-hidden">Funding Opportunities API</h1>
        <ErrorState error={error} onRetry={startOrExplain} />
      </main>,
    );
  });
}

startOrExplain();
