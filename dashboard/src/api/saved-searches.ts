import type { z } from "zod";
import type {
  Digest,
  issuedAddress,
  SavedSearch,
  savedSearchList,
} from "../../../shared/responses/account/saved-searches.ts";
import { useChange, useRead } from "./queries.ts";
import { recordsRefreshMs } from "./refresh.ts";
import type { AccountRequest } from "./request.ts";

export type { Digest, SavedSearch };
export type IssuedAddress = z.infer<typeof issuedAddress>;

/** Fields of a saved search that its owner chooses. */
export type SavedSearchDraft = Pick<SavedSearch, "name" | "dataset" | "query">;

export function useSavedSearches() {
  return useRead<z.infer<typeof savedSearchList>>(["saved-searches"], "/saved-searches", {
    refetchInterval: recordsRefreshMs,
  });
}

export function useSaveSearch() {
  return useSavedSearchChange((request, body: SavedSearchDraft) =>
    request<SavedSearch>("/saved-searches", { method: "POST", body }),
  );
}

export function useRenameSavedSearch(id: string) {
  return useSavedSearchChange((request, name: string) =>
    request<SavedSearch>(`/saved-searches/${id}`, { method: "PATCH", body: { name } }),
  );
}

/** Fields of a digest that its owner chooses. */
export type DigestDraft = Pick<Digest, "frequency" | "weekday" | "hour" | "time_zone">;

/** Sets the digest, or ends it with null. */
export function useSetDigest(id: string) {
  return useSavedSearchChange((request, digest: DigestDraft | null) =>
    request<SavedSearch>(`/saved-searches/${id}`, { method: "PATCH", body: { digest } }),
  );
}

export function useDeleteSavedSearch(id: string) {
  return useSavedSearchChange((request, _: undefined) => request(`/saved-searches/${id}`, { method: "DELETE" }));
}

/** Marks the counted records as seen: records that came meanwhile stay new. */
export function useMarkSeen() {
  return useSavedSearchChange((request, { id, counted_until }: SavedSearch) =>
    request<SavedSearch>(`/saved-searches/${id}/seen`, { method: "POST", body: { until: counted_until } }),
  );
}

export function useIssueAddress(id: string) {
  return useSavedSearchChange((request, _: undefined) =>
    request<IssuedAddress>(`/saved-searches/${id}/address`, { method: "POST" }),
  );
}

export function useRevokeAddress(id: string) {
  return useSavedSearchChange((request, _: undefined) =>
    request<SavedSearch>(`/saved-searches/${id}/address/revoke`, { method: "POST" }),
  );
}

function useSavedSearchChange<Input, Answer>(change: (request: AccountRequest, input: Input) => Promise<Answer>) {
  return useChange(["saved-searches"], change);
}
