import * as z from "zod";
import { id, moment } from "../fields.ts";
import { listPage } from "./log-page.ts";

/** Roles in an account: an owner does everything, a member everything but managing members and billing. */
export const memberRoles = ["owner", "member"] as const;
export type MemberRole = (typeof memberRoles)[number];

export const memberRole = z.enum(memberRoles, { error: "must be owner or member" });

/** Longest e-mail address that mail servers take (RFC 5321). */
const maximumEmailLength = 254;

/** A member of an account. */
export const member = z
  .strictObject({
    id: id("The member's id in this account."),
    email: z.string().meta({ description: "Their e-mail address.", examples: ["ada@example.org"] }),
    role: memberRole.meta({
      description:
        "`owner`: does everything. `member`: reads everything, and manages keys, webhooks and saved searches; not members, settings or what is charged for.",
    }),
    joined_at: moment("When they came to the account."),
    is_you: z.boolean().meta({ description: "Whether this is the caller." }),
  })
  .meta({ description: "Somebody who may use the account." });
export type Member = z.infer<typeof member>;

/** Answer of `GET /account-api/members`. */
export const memberList = z
  .strictObject({ members: z.array(member) })
  .meta({ description: "Members of the account, owners first." });

/** Body of `PATCH /account-api/members/{id}`. */
export const memberChanges = z
  .strictObject({ role: memberRole.meta({ description: "The member's role from now on." }) })
  .meta({ description: "Changes of a member." });

export const removedMember = z
  .strictObject({ id: id("The member's id.") })
  .meta({ description: "Member who was removed, or left." });

const invitationFields = {
  role: memberRole.meta({ description: "Role that the invited person gets." }),
  invited_by: z
    .string()
    .nullable()
    .meta({
      description: "E-mail address of the owner who invited them; null for the operator of the service.",
      examples: ["ada@example.org"],
    }),
  created_at: moment("When they were invited."),
  expires_at: moment("Until when the invitation can be accepted."),
};

/** An invitation, as the account's members see it. */
export const invitation = z
  .strictObject({
    id: id("The invitation's id."),
    email: z.string().meta({ description: "E-mail address that is invited.", examples: ["ben@example.org"] }),
    ...invitationFields,
  })
  .meta({ description: "Open invitation to an account." });
export type Invitation = z.infer<typeof invitation>;

/** Answer of `GET /account-api/invitations`. */
export const invitationList = z
  .strictObject({ invitations: z.array(invitation) })
  .meta({ description: "Open invitations of the account, newest first." });

/** Body of `POST /account-api/invitations`. */
export const newInvitation = z
  .strictObject({
    email: z
      .email({ error: "must be an e-mail address" })
      .max(maximumEmailLength, { error: `must be at most ${maximumEmailLength} characters long` })
      .meta({ description: "E-mail address of the person to invite. No mail is sent: tell them to sign in." }),
    role: memberRole.default("member").meta({ description: "Role that they get." }),
  })
  .meta({ description: "An invitation to make." });

/** Parameters of `GET /account-api/memberships`. */
export const membershipParameters = z.strictObject({
  page: listPage.optional().meta({
    description: "The `next` of an answer: the invitations that come after it.",
    examples: ["2026-11-20T14:00:19.873Z_8c0f2a54-6f4b-4d0e-9d55-0b6f0c1f6a11"],
  }),
});

/** Answer of `POST /account-api/memberships/decline`. */
export const declinedInvitations = z
  .strictObject({ declined: z.int().min(0).meta({ description: "How many invitations there were." }) })
  .meta({ description: "Invitations that were declined." });

export const endedInvitation = z
  .strictObject({ id: id("The invitation's id.") })
  .meta({ description: "Invitation that was withdrawn or declined." });

/** An account that the caller is in. */
export const membership = z
  .strictObject({
    account_id: id("The account's id, for the header `X-Account-Id`."),
    email: z.email().meta({ description: "E-mail address that the account is called by." }),
    role: memberRole.meta({ description: "The caller's role in it." }),
    is_own: z
      .boolean()
      .meta({ description: "Whether it is the caller's own account: the one without `X-Account-Id`." }),
  })
  .meta({ description: "An account that the caller is in." });
export type Membership = z.infer<typeof membership>;

/** An invitation, as the invited person sees it. */
export const receivedInvitation = z
  .strictObject({
    id: id("The invitation's id."),
    account_email: z.email().meta({ description: "E-mail address that the account is called by." }),
    ...invitationFields,
  })
  .meta({ description: "Open invitation to the caller." });
export type ReceivedInvitation = z.infer<typeof receivedInvitation>;

/** Answer of `GET /account-api/memberships`. */
export const memberships = z
  .strictObject({
    memberships: z.array(membership).meta({ description: "At most 100, the caller's own first." }),
    invitations: z
      .array(receivedInvitation)
      .meta({ description: "One of each account that invites you, newest first: at most 50 on a page." }),
    next: z
      .string()
      .nullable()
      .meta({ description: "The `page` of the next invitations; null where there are no more." }),
  })
  .meta({ description: "Accounts that the caller is in, and open invitations to the caller's e-mail address." });
export type Memberships = z.infer<typeof memberships>;
