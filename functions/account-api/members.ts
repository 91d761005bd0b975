import { nextOf } from "../../shared/responses/account/log-page.ts";
import { memberChanges, membershipParameters, newInvitation } from "../../shared/responses/account/members.ts";
import { created, inBody, inQuery, nothing, route, withId } from "./route.ts";

export const memberRoutes = [
  /** The accounts that the caller is in, and a page of the open invitations to their address. */
  route(
    "GET /account-api/memberships",
    inQuery(membershipParameters),
    ({ call }, { page }) => call("list_memberships", page === undefined ? {} : { page }),
    ({ memberships, invitations, next }) => ({ body: { memberships, invitations, next: nextOf(next) } }),
  ),
  route("GET /account-api/members", nothing, ({ call }) => call("list_members", {})),
  /** Another role, as owners may. */
  route("PATCH /account-api/members/{id}", withId(inBody(memberChanges)), ({ call }, { id, input }) =>
    call("update_member", { member_id: id, changes: input }),
  ),
  /** An owner removes anybody, and everybody leaves by their own id. */
  route("DELETE /account-api/members/{id}", withId(), ({ call }, { id }) => call("remove_member", { member_id: id })),
  /** The account's open ones. */
  route("GET /account-api/invitations", nothing, ({ call }) => call("list_invitations", {})),
  /** As owners may. */
  route(
    "POST /account-api/invitations",
    inBody(newInvitation),
    ({ writes }, input) => writes.call("create_invitation", input),
    created,
  ),
  /** Withdraws it, as owners may. */
  route("DELETE /account-api/invitations/{id}", withId(), ({ call }, { id }) =>
    call("withdraw_invitation", { invitation_id: id }),
  ),
  /** The user who signed in with the invited address becomes a member. */
  route("POST /account-api/invitations/{id}/accept", withId(), ({ writes }, { id }) =>
    writes.call("accept_invitation", { invitation_id: id }),
  ),
  route("POST /account-api/invitations/{id}/decline", withId(), ({ writes }, { id }) =>
    writes.call("decline_invitation", { invitation_id: id }),
  ),
  /** All invitations to the caller. */
  route("POST /account-api/memberships/decline", nothing, ({ writes }) => writes.call("decline_invitations", {})),
];
