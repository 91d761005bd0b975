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

/** Routes of the account API for members and invitations, by path and method. */
export const memberOperations: Record<string, Record<string, AccountOperation>> = {
  "/account-api/memberships": {
    get: {
      operationId: "listMemberships",
      summary: "List the accounts that you are in, and the open invitations to you",
      description:
        "A request with the `account_id` of one in `X-Account-Id` is about that account. Invitations come in pages: send `next` as `page`.",
      query: membershipParameters,
      answer: ["Memberships", memberships],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/members": {
    get: {
      operationId: "listMembers",
      summary: "List the account's members and their roles",
      answer: ["MemberList", memberList],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/members/{id}": {
    patch: {
      operationId: "updateMember",
      summary: "Give a member another role",
      description: "For owners. The last owner stays one.",
      isForOwners: true,
      body: ["MemberChanges", memberChanges],
      answer: ["Member", member],
    },
    delete: {
      operationId: "removeMember",
      summary: "Remove a member, or leave the account",
      description:
        "An owner removes anybody; a member leaves by their own id. From then on they have no access. What they made stays the account's. The last owner cannot go.",
      isForOwners: true,
      answer: ["RemovedMember", removedMember],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/invitations": {
    get: {
      operationId: "listInvitations",
      summary: "List the account's open invitations",
      answer: ["InvitationList", invitationList],
      failures: ["InvalidParameters"],
    },
    post: {
      operationId: "createInvitation",
      summary: "Invite somebody to the account",
      description:
        "For owners. Whoever signs in with this e-mail address, confirmed, finds the invitation with `GET /account-api/memberships` and in the dashboard, for seven days unless the operator chose another time. No mail is sent.",
      isForOwners: true,
      body: ["NewInvitation", newInvitation],
      status: 201,
      answer: ["Invitation", invitation],
    },
  },
  "/account-api/invitations/{id}": {
    delete: {
      operationId: "withdrawInvitation",
      summary: "Withdraw an invitation",
      description: "For owners.",
      isForOwners: true,
      answer: ["EndedInvitation", endedInvitation],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/invitations/{id}/accept": {
    post: {
      operationId: "acceptInvitation",
      summary: "Accept an invitation to you",
      answer: ["Membership", membership],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/invitations/{id}/decline": {
    post: {
      operationId: "declineInvitation",
      summary: "Decline an invitation to you",
      answer: ["EndedInvitation", endedInvitation],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/memberships/decline": {
    post: {
      operationId: "declineInvitations",
      summary: "Decline all open invitations to you",
      answer: ["DeclinedInvitations", declinedInvitations],
      failures: ["InvalidParameters"],
    },
  },
};
