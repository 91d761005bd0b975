import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { App } from "./app.tsx";
import { ErrorState } from "./components/states.tsx";
import { DeploymentProvider } from "./session/context.tsx";
import { startSession } from "./session/session.ts";
import "./styles/base.css";

const root = createRoot(document.getElementById("root") ?? document.body);

/** The page can do nothing before it knows where the API and the sign-in are. */
async function start(): Promise<void> {
  const answer = await fetch("/config.json");
  if (!answer.ok) throw new Error(`config.json: ${answer.status}`);
  const config = (await answer.json()) as DashboardConfig;
  root.render(
    <StrictMode>
      <DeploymentProvider config={config} session={startSession(config)}>
        <App />
      </DeploymentProvider>
    </StrictMode>,
  );
}

start().catch((error: unknown) => {
  root.render(
    <main className="lonely">
      <h1 className="visually-hidden">Funding Opportunities API</h1>
      <ErrorState error={error} onRetry={() => location.reload()} />
    </main>,
  );
});
