import {
  declinedInvitations,
  endedInvitation,
  invitation,
  invitationList,
  member,
  memberChanges,
  memberList,
  membership,
  membershipParameters,
  memberships,
  newInvitation,
  removedMember,
} from "../shared/responses/account/members.ts";
import type { AccountOperation } from "./account-operation.ts";

/** Routes of the account API for members and invitations, by method and path. */
export const memberOperations: Record<string, AccountOperation> = {
  "GET /account-api/memberships": {
    operationId: "listMemberships",
    summary: "List the accounts that you are in, and the open invitations to you",
    description:
      "A request with the `account_id` of one in `X-Account-Id` is about that account. Invitations come in pages: send `next` as `page`.",
    query: membershipParameters,
    answer: ["Memberships", memberships],
  },
  "GET /account-api/members": {
    operationId: "listMembers",
    summary: "List the account's members and their roles",
    answer: ["MemberList", memberList],
  },
  "PATCH /account-api/members/{id}": {
    operationId: "updateMember",
    summary: "Give a member another role",
    description: "For owners. The last owner stays one.",
    isForOwners: true,
    body: ["MemberChanges", memberChanges],
    answer: ["Member", member],
  },
  "DELETE /account-api/members/{id}": {
    operationId: "removeMember",
    summary: "Remove a member, or leave the account",
    description:
      "An owner removes anybody; a member leaves by their own id. From then on they have no access. What they made stays the account's. The last owner cannot go.",
    isForOwners: true,
    answer: ["RemovedMember", removedMember],
  },
  "GET /account-api/invitations": {
    operationId: "listInvitations",
    summary: "List the account's open invitations",
    answer: ["InvitationList", invitationList],
  },
  "POST /account-api/invitations": {
    operationId: "createInvitation",
    summary: "Invite somebody to the account",
    description:
      "For owners. Whoever signs in with this e-mail address, confirmed, finds the invitation with `GET /account-api/memberships` and in the dashboard, for seven days unless the operator chose another time. No mail is sent.",
    isForOwners: true,
    body: ["NewInvitation", newInvitation],
    status: 201,
    answer: ["Invitation", invitation],
  },
  "DELETE /account-api/invitations/{id}": {
    operationId: "withdrawInvitation",
    summary: "Withdraw an invitation",
    description: "For owners.",
    isForOwners: true,
    answer: ["EndedInvitation", endedInvitation],
  },
  "POST /account-api/invitations/{id}/accept": {
    operationId: "acceptInvitation",
    summary: "Accept an invitation to you",
    answer: ["Membership", membership],
  },
  "POST /account-api/invitations/{id}/decline": {
    operationId: "declineInvitation",
    summary: "Decline an invitation to you",
    answer: ["EndedInvitation", endedInvitation],
  },
  "POST /account-api/memberships/decline": {
    operationId: "declineInvitations",
    summary: "Decline all open invitations to you",
    answer: ["DeclinedInvitations", declinedInvitations],
  },
};
