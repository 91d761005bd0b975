import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useDeployment } from "../session/context.tsx";
import { ApiProblem } from "./errors.ts";
import { type AccountRequest, createAccountRequest } from "./request.ts";

const context = createContext<AccountRequest | undefined>(undefined);

/** Retries of a request that reads, where the API was not reached or is busy for a moment. */
const maximumRetries = 2;
/** How long an answer is shown without asking again, when a page is opened that shows it. */
const freshMs = 10_000;

/** Gives everything below it the account API, and one memory of its answers. Made anew for each who signs in. */
export function AccountApiProvider({ children }: { children: ReactNode }) {
  const { config, session } = useDeployment();
  const [request] = useState(() => createAccountRequest(config.base_url, session));
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: freshMs,
            retry: (failures, error) =>
              failures < maximumRetries && (!(error instanceof ApiProblem) || error.status >= 500),
            retryDelay: (failures) => 500 * 2 ** failures,
            // A machine without a network still reaches what runs on it.
            networkMode: "always",
          },
          mutations: { retry: false, networkMode: "always" },
        },
      }),
  );
  return (
    <QueryClientProvider client={queries}>
      <context.Provider value={request}>{children}</context.Provider>
    </QueryClientProvider>
  );
}

export function useAccountRequest(): AccountRequest {
  const request = useContext(context);
  if (request === undefined) throw new Error("there is no AccountApiProvider above");
  return request;
}
