import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  Invitation,
  Member,
  MemberRole,
  Membership,
  Memberships,
  ReceivedInvitation,
} from "../../../shared/responses/account/members.ts";
import { useAccountRequest } from "./context.tsx";

export type { Invitation, Member, MemberRole, Membership, ReceivedInvitation };

/** Accounts that the user is in, and the invitations to them. Asked of the user's own account: they may have been removed from the other. */
export function useMemberships() {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["memberships"],
    queryFn: ({ signal }) => request<Memberships>("/memberships", { signal, isOwn: true }),
  });
}

/** Further pages of the invitations to the user, each when it is asked for. `first` is the `next` of the memberships. */
export function useMoreInvitations(first: string | null, isWanted: boolean) {
  const request = useAccountRequest();
  return useInfiniteQuery({
    queryKey: ["memberships", "more", first],
    enabled: isWanted && first !== null,
    initialPageParam: first,
    queryFn: ({ signal, pageParam }) =>
      request<Memberships>(`/memberships?page=${encodeURIComponent(pageParam ?? "")}`, { signal, isOwn: true }),
    getNextPageParam: ({ next }) => next,
  });
}

export function useMembers() {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["members"],
    queryFn: async ({ signal }) => (await request<{ members: Member[] }>("/members", { signal })).members,
  });
}

export function useInvitations() {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["invitations"],
    queryFn: async ({ signal }) =>
      (await request<{ invitations: Invitation[] }>("/invitations", { signal })).invitations,
  });
}

export function useInvite() {
  const request = useAccountRequest();
  return useMemberChange((body: { email: string; role: MemberRole }) =>
    request<Invitation>("/invitations", { method: "POST", body }),
  );
}

export function useWithdrawInvitation() {
  const request = useAccountRequest();
  return useMemberChange((id: string) => request<{ id: string }>(`/invitations/${id}`, { method: "DELETE" }));
}

export function useChangeRole() {
  const request = useAccountRequest();
  return useMemberChange(({ id, role }: { id: string; role: MemberRole }) =>
    request<Member>(`/members/${id}`, { method: "PATCH", body: { role } }),
  );
}

export function useRemoveMember() {
  const request = useAccountRequest();
  return useMemberChange((id: string) => request<{ id: string }>(`/members/${id}`, { method: "DELETE" }));
}

export function useAcceptInvitation() {
  const request = useAccountRequest();
  return useMemberChange((id: string) =>
    request<Membership>(`/invitations/${id}/accept`, { method: "POST", isOwn: true }),
  );
}

export function useDeclineInvitation() {
  const request = useAccountRequest();
  return useMemberChange((id: string) =>
    request<{ id: string }>(`/invitations/${id}/decline`, { method: "POST", isOwn: true }),
  );
}

export function useDeclineAllInvitations() {
  const request = useAccountRequest();
  return useMemberChange((_: undefined) =>
    request<{ declined: number }>("/memberships/decline", { method: "POST", isOwn: true }),
  );
}

/** Mutation of members or invitations. Afterwards, also after an error, all that tells of them is invalidated. */
function useMemberChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const key of ["memberships", "members", "invitations", "account", "audit-log"]) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}
