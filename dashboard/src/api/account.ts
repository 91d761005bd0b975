import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Account } from "../../../shared/account/schemas/account.ts";
import type { AccountKey, accountKeys, issuedKey } from "../../../shared/account/schemas/keys.ts";
import type { accountUsage } from "../../../shared/account/schemas/usage.ts";
import { useAccountRequest } from "./context.tsx";

export type { Account, AccountKey };
export type IssuedKey = z.infer<typeof issuedKey>;
export type Usage = z.infer<typeof accountUsage>;

/** What a usage question asks; all of it is optional to the API. */
export interface UsageQuestion {
  /** The first day, in UTC. */
  from: string;
  key_id?: string | undefined;
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

export function useUsage(question?: UsageQuestion) {
  const request = useAccountRequest();
  const defined = Object.entries(question ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(defined).toString();
  return useQuery({
    queryKey: ["usage", query],
    queryFn: ({ signal }) => request<Usage>(query === "" ? "/usage" : `/usage?${query}`, { signal }),
    placeholderData: (previous) => previous,
  });
}

export function useCreateKey() {
  const request = useAccountRequest();
  return useKeyChange((body: { name: string; expires_at: string | null }) =>
    request<IssuedKey>("/keys", { method: "POST", body }),
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

/** A change to the keys: whatever comes of it, what the page knows of them is asked anew. */
function useKeyChange<Asked, Answer>(change: (asked: Asked) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The answer may hold a key's text, which is to be gone with the dialog that shows it.
    gcTime: 0,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
}
