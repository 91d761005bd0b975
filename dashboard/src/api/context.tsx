import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useChosenAccount } from "../members/chosen-account.tsx";
import { useDeployment } from "../session/context.tsx";
import { ApiProblem, TimedOut } from "./errors.ts";
import { refreshMs } from "./refresh.ts";
import { type AccountRequest, createAccountRequest } from "./request.ts";

const context = createContext<AccountRequest | undefined>(undefined);

/** Retries of a read request when the API is unreachable or busy. */
const maximumRetries = 2;
/** Age up to which a cached response is shown without a new request. */
const freshMs = 10_000;

/** Provides the account API and one cache of its responses. A new one is mounted for each user who signs in, and each account that they choose. */
export function AccountApiProvider({ children }: { children: ReactNode }) {
  const { config, session } = useDeployment();
  const { accountId } = useChosenAccount();
  const [request] = useState(() => createAccountRequest(config.base_url, session, accountId));
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: freshMs,
            refetchInterval: refreshMs,
            retry: (failures, error) =>
              failures < maximumRetries &&
              !(error instanceof TimedOut) &&
              (!(error instanceof ApiProblem) || error.status >= 500),
            retryDelay: (failures) => 500 * 2 ** failures,
            // Without a network, a server on the same machine is still reachable.
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
  if (request === undefined) throw new Error("useAccountRequest needs an AccountApiProvider");
  return request;
}
