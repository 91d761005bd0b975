import type { MemberRole } from "../api/members.ts";

/** Roles in words, the smaller one first. */
export const roleNames: Readonly<Record<MemberRole, string>> = { member: "Member", owner: "Owner" };

/** The same as the options of a select. */
export const roleOptions = [
  ["member", "Member: keys, webhooks and saved searches"],
  ["owner", "Owner: also members and settings"],
] as const;
