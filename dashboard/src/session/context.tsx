import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import type { Session, SessionState } from "./session.ts";

interface Deployment {
  config: DashboardConfig;
  session: Session;
}

const context = createContext<Deployment | undefined>(undefined);

/** Provides the deployment's configuration and the session. */
export function DeploymentProvider({ children, ...deployment }: Deployment & { children: ReactNode }) {
  return <context.Provider value={deployment}>{children}</context.Provider>;
}

/** The deployment's configuration and the session. */
export function useDeployment(): Deployment {
  const deployment = useContext(context);
  if (deployment === undefined) throw new Error("useDeployment needs a DeploymentProvider");
  return deployment;
}

/** Address of the status page, where there is one and the configuration is known. */
export function useStatusUrl(): string | undefined {
  return useContext(context)?.config.status_url;
}

export function useSessionState(): SessionState {
  const { session } = useDeployment();
  return useSyncExternalStore(session.subscribe, session.state);
}
