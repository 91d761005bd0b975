import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { AccountKey, accountKeys, issuedKey } from "../../../shared/responses/account/keys.ts";
import type { accountUsage } from "../../../shared/responses/account/usage.ts";
import type { LimitBody } from "../keys/limits.ts";
import { useChange, useRead } from "./queries.ts";
import { refreshMs } from "./refresh.ts";
import type { AccountRequest } from "./request.ts";

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
  return useRead<Account>(["account"], "");
}

export function useKeys() {
  return useRead<z.infer<typeof accountKeys>, AccountKey[]>(["keys"], "/keys", { select: ({ keys }) => keys });
}

/** Time between refreshes for an account that waits for its first request to appear. */
const firstRequestMs = 3_000;
/** Time between refreshes of hours: for an account with 500 busy keys, the database works on them for more than a second. */
const hoursRefreshMs = 60_000;

export function useUsage(parameters?: UsageQuery) {
  const defined = Object.entries(parameters ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(defined).toString();
  return useRead<Usage>(["usage", query], query === "" ? "/usage" : `/usage?${query}`, {
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
  return useKeyChange((request, body: { name: string; expires_at: string | null } & LimitBody) =>
    request<IssuedKey>("/keys", { method: "POST", body }),
  );
}

export function useLimitKey() {
  return useKeyChange((request, { id, limits }: { id: string; limits: Partial<LimitBody> }) =>
    request<AccountKey>(`/keys/${id}`, { method: "PATCH", body: limits }),
  );
}

export function useRotateKey() {
  return useKeyChange((request, { id, overlap_hours }: { id: string; overlap_hours: number }) =>
    request<IssuedKey>(`/keys/${id}/rotate`, { method: "POST", body: { overlap_hours } }),
  );
}

export function useRevokeKey() {
  return useKeyChange((request, id: string) => request<AccountKey>(`/keys/${id}/revoke`, { method: "POST" }));
}

function useKeyChange<Input, Answer>(change: (request: AccountRequest, input: Input) => Promise<Answer>) {
  return useChange(["keys", "account"], change);
}
