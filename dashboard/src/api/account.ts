import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { AccountKey, accountKeys, issuedKey } from "../../../shared/responses/account/keys.ts";
import type { accountUsage } from "../../../shared/responses/account/usage.ts";
import type { LimitBody } from "../keys/limits.ts";
import { useAccountRequest } from "./context.tsx";
import { refreshMs } from "./refresh.ts";

export type { Account, AccountKey };
export type IssuedKey = z.infer<typeof issuedKey>;
export type Usage = z.infer<typeof accountUsage>;

/** Parameters of a usage request. The API needs none of them. */
export interface UsageQuery {
  /** The first day, in UTC. */
  from: string;
  /** The last day, in UTC. Default: today. */
  to?: string;
  key_id?: string | undefined;
  /** Additions to the answer, which take longer. */
  include?: "requests_by_day" | "hours" | undefined;
}

export function useAccount() {
  const request = useAccountRequest();
  return useQuery({ queryKey: ["account"], queryFn: ({ signal }) => request<Account>("", { signal }) });
}

export function useKeys() {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["keys"],
    queryFn: async ({ signal }) => (await request<z.infer<typeof accountKeys>>("/keys", { signal })).keys,
  });
}

/** Time between refreshes for an account that waits for its first request to appear. */
const firstRequestMs = 3_000;
/** Time between refreshes of hours: for an account with 500 busy keys, the database works on them for more than a second. */
const hoursRefreshMs = 60_000;

export function useUsage(parameters?: UsageQuery) {
  const request = useAccountRequest();
  const defined = Object.entries(parameters ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(defined).toString();
  return useQuery({
    queryKey: ["usage", query],
    queryFn: ({ signal }) => request<Usage>(query === "" ? "/usage" : `/usage?${query}`, { signal }),
    placeholderData: (previous) => previous,
    // Days that are over change no more.
    refetchInterval: ({ state }) => {
      if (parameters?.to !== undefined && parameters.to < new Date().toISOString().slice(0, 10)) return false;
      if (state.data?.totals.requests === 0) return firstRequestMs;
      return parameters?.include === "hours" ? hoursRefreshMs : refreshMs;
    },
  });
}

export function useCreateKey() {
  const request = useAccountRequest();
  return useKeyChange((body: { name: string; expires_at: string | null } & LimitBody) =>
    request<IssuedKey>("/keys", { method: "POST", body }),
  );
}

export function useLimitKey() {
  const request = useAccountRequest();
  return useKeyChange(({ id, limits }: { id: string; limits: Partial<LimitBody> }) =>
    request<AccountKey>(`/keys/${id}`, { method: "PATCH", body: limits }),
  );
}

export function useRotateKey() {
  const request = useAccountRequest();
  return useKeyChange(({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
    request<IssuedKey>(`/keys/${id}/rotate`, { method: "POST", body: { overlap_hours } }),
  );
}

export function useRevokeKey() {
  const request = useAccountRequest();
  return useKeyChange((id: string) => request<AccountKey>(`/keys/${id}/revoke`, { method: "POST" }));
}

/** Mutation of the keys. Afterwards, also after an error, the cached keys and account are invalidated. */
function useKeyChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The response may contain a key's text, which must not outlive the dialog that shows it.
    gcTime: 0,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
}
