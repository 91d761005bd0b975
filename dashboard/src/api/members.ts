import { useInfiniteQuery } from "@tanstack/react-query";
import type {
  Invitation,
  Member,
  MemberRole,
  Membership,
  Memberships,
  ReceivedInvitation,
} from "../../../shared/responses/account/members.ts";
import { useAccountRequest } from "./context.tsx";
import { useChange, useRead } from "./queries.ts";
import type { AccountRequest } from "./request.ts";

export type { Invitation, Member, MemberRole, Membership, ReceivedInvitation };

/** Accounts that the user is in, and the invitations to them. Asked of the user's own account: they may have been removed from the other. */
export function useMemberships() {
  return useRead<Memberships>(["memberships"], "/memberships", { sent: { isOwn: true } });
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
  return useRead<{ members: Member[] }, Member[]>(["members"], "/members", { select: ({ members }) => members });
}

export function useInvitations() {
  return useRead<{ invitations: Invitation[] }, Invitation[]>(["invitations"], "/invitations", {
    select: ({ invitations }) => invitations,
  });
}

export function useInvite() {
  return useMemberChange((request, body: { email: string; role: MemberRole }) =>
    request<Invitation>("/invitations", { method: "POST", body }),
  );
}

export function useWithdrawInvitation() {
  return useMemberChange((request, id: string) => request<{ id: string }>(`/invitations/${id}`, { method: "DELETE" }));
}

export function useChangeRole() {
  return useMemberChange((request, { id, role }: { id: string; role: MemberRole }) =>
    request<Member>(`/members/${id}`, { method: "PATCH", body: { role } }),
  );
}

export function useRemoveMember() {
  return useMemberChange((request, id: string) => request<{ id: string }>(`/members/${id}`, { method: "DELETE" }));
}

export function useAcceptInvitation() {
  return useMemberChange((request, id: string) =>
    request<Membership>(`/invitations/${id}/accept`, { method: "POST", isOwn: true }),
  );
}

export function useDeclineInvitation() {
  return useMemberChange((request, id: string) =>
    request<{ id: string }>(`/invitations/${id}/decline`, { method: "POST", isOwn: true }),
  );
}

export function useDeclineAllInvitations() {
  return useMemberChange((request, _: undefined) =>
    request<{ declined: number }>("/memberships/decline", { method: "POST", isOwn: true }),
  );
}

/** Mutation of members or invitations, after which all that tells of them is read again. */
function useMemberChange<Input, Answer>(change: (request: AccountRequest, input: Input) => Promise<Answer>) {
  return useChange(["memberships", "members", "invitations", "account", "audit-log"], change);
}
