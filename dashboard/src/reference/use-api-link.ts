import { useContext } from "react";
import { useDeployment } from "../session/context.tsx";
import { StaticContext } from "./static.tsx";

/** Returns the link to a path of the API. A build, which does not know the API's address, links to it at the page's own origin. */
export function useApiLink(): (path: string) => string {
  const { config } = useDeployment();
  const isStatic = useContext(StaticContext) !== undefined;
  return (path) => (isStatic ? new URL(config.base_url).pathname : config.base_url) + path;
}
