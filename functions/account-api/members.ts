import { nextOf } from "../../shared/responses/account/log-page.ts";
import { memberChanges, membershipParameters, newInvitation } from "../../shared/responses/account/members.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { accountRoute, readAccountBody, readWithId } from "./route.ts";

/** `GET /account-api/memberships`: the accounts that the caller is in, and a page of the open invitations to their address. */
const memberships = accountRoute({
  method: "GET",
  path: "/memberships",
  parse: (request) =>
    readQuery(new URL(request.url).search, {
      names: Object.keys(membershipParameters.shape),
      schema: membershipParameters,
    }),
  query: ({ database, signedIn }, { page }) =>
    database.call("list_memberships", { ...signedIn, ...(page === undefined ? {} : { page }) }),
  render: ({ memberships, invitations, next }) => ({ body: { memberships, invitations, next: nextOf(next) } }),
});

/** `GET /account-api/members` */
const list = accountRoute({
  method: "GET",
  path: "/members",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ database, signedIn }) => database.call("list_members", { ...signedIn }),
  render: (body) => ({ body }),
});

/** `PATCH /account-api/members/{id}`: another role, as owners may. */
const update = accountRoute({
  method: "PATCH",
  path: "/members/{id}",
  parse: (request, parameters) => readWithId(parameters, () => readAccountBody(request, memberChanges)),
  query: ({ database, signedIn }, { id, input }) =>
    database.call("update_member", { ...signedIn, member_id: id, changes: input }),
  render: (body) => ({ body }),
});

/** `DELETE /account-api/members/{id}`: an owner removes anybody, and everybody leaves by their own id. */
const remove = accountRoute({
  method: "DELETE",
  path: "/members/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ database, signedIn }, { id }) => database.call("remove_member", { ...signedIn, member_id: id }),
  render: (body) => ({ body }),
});

/** `GET /account-api/invitations`: the account's open ones. */
const listInvitations = accountRoute({
  method: "GET",
  path: "/invitations",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ database, signedIn }) => database.call("list_invitations", { ...signedIn }),
  render: (body) => ({ body }),
});

/** `POST /account-api/invitations`, as owners may. */
const invite = accountRoute({
  method: "POST",
  path: "/invitations",
  parse: (request) => readAccountBody(request, newInvitation),
  query: ({ writes }, input) => writes.call("create_invitation", input),
  render: (body) => ({ body, status: 201 }),
});

/** `DELETE /account-api/invitations/{id}`: withdraws it, as owners may. */
const withdraw = accountRoute({
  method: "DELETE",
  path: "/invitations/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ database, signedIn }, { id }) => database.call("withdraw_invitation", { ...signedIn, invitation_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/invitations/{id}/accept`: the user who signed in with the invited address becomes a member. */
const accept = accountRoute({
  method: "POST",
  path: "/invitations/{id}/accept",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ writes }, { id }) => writes.call("accept_invitation", { invitation_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/invitations/{id}/decline` */
const decline = accountRoute({
  method: "POST",
  path: "/invitations/{id}/decline",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ writes }, { id }) => writes.call("decline_invitation", { invitation_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/memberships/decline`: all invitations to the caller. */
const declineAll = accountRoute({
  method: "POST",
  path: "/memberships/decline",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ writes }) => writes.call("decline_invitations", {}),
  render: (body) => ({ body }),
});

export const memberRoutes = [
  memberships,
  list,
  update,
  remove,
  listInvitations,
  invite,
  withdraw,
  accept,
  decline,
  declineAll,
];
