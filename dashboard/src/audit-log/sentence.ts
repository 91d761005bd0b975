import type { AuditEntry } from "../../../shared/responses/account/audit-log.ts";

const sentences: Record<AuditEntry["action"], (name: string) => string> = {
  "account.created": () => "Account opened",
  "account.updated": () => "Account settings changed",
  "account.user_attached": () => "Sign-in connected",
  "account.user_detached": () => "Sign-in disconnected",
  "subscription.created": (name) => `Tier set to “${name}”`,
  "subscription.updated": () => "Subscription changed",
  "subscription.deleted": () => "Subscription removed",
  "customer.offered": (name) => `Stripe customer “${name}” asked to pay for the account`,
  "customer.accepted": (name) => `Stripe customer “${name}” accepted`,
  "customer.refused": (name) => `Stripe customer “${name}” refused`,
  "key.created": (name) => `Key “${name}” created`,
  "key.updated": (name) => `Key “${name}” changed`,
  "key.rotated": (name) => `Key “${name}” rotated`,
  "key.revoked": (name) => `Key “${name}” revoked`,
  "key.deleted": (name) => `Key “${name}” deleted`,
  "webhook.created": (name) => `Webhook “${name}” added`,
  "webhook.updated": (name) => `Webhook “${name}” changed`,
  "webhook.paused": (name) => `Webhook “${name}” paused`,
  "webhook.resumed": (name) => `Webhook “${name}” resumed`,
  "webhook.disabled": (name) => `Webhook “${name}” disabled`,
  "webhook.secret_rotated": (name) => `Secret of webhook “${name}” rotated`,
  "webhook.recovery_started": (name) => `Recovery of webhook “${name}” started`,
  "webhook.deleted": (name) => `Webhook “${name}” deleted`,
  "saved_search.created": (name) => `Search “${name}” saved`,
  "saved_search.updated": (name) => `Saved search “${name}” changed`,
  "saved_search.address_issued": (name) => `New feed address for saved search “${name}”`,
  "saved_search.address_revoked": (name) => `Feed address of saved search “${name}” revoked`,
  "saved_search.deleted": (name) => `Saved search “${name}” deleted`,
  "digest.created": (name) => `E-mails about saved search “${name}” set up`,
  "digest.updated": (name) => `E-mails about saved search “${name}” changed`,
  "digest.paused": (name) => `E-mails about saved search “${name}” paused`,
  "digest.resumed": (name) => `E-mails about saved search “${name}” resumed`,
  "digest.ended": (name) => `E-mails about saved search “${name}” ended`,
  "digest.unsubscribed": (name) => `Unsubscribed from e-mails about saved search “${name}”`,
  "member.added": (name) => `${name} added as a member`,
  "member.role_changed": (name) => `Role of ${name} changed`,
  "member.removed": (name) => `${name} removed from the account`,
  "member.left": (name) => `${name} left the account`,
  "invitation.created": (name) => `${name} invited`,
  "invitation.accepted": (name) => `Invitation accepted by ${name}`,
  "invitation.declined": (name) => `Invitation declined by ${name}`,
  "invitation.withdrawn": (name) => `Invitation of ${name} withdrawn`,
};

/** An action as a sentence: Key “Production” revoked. An action that came after this page was loaded has its own name: key.lent “Production”. */
export function sentenceOf({ action, subject }: AuditEntry): string {
  return Object.hasOwn(sentences, action) ? sentences[action](subject.name) : `${action} “${subject.name}”`;
}

/** Actor of an entry: an e-mail address, or words. */
export function actorOf({ actor, action, subject }: AuditEntry): string {
  if (actor.email !== null) return actor.email;
  if (actor.kind === "operator") return "Operator of the service";
  if (action === "digest.unsubscribed") return "Link in an e-mail";
  return subject.kind === "subscription" ? "Billing" : "Automatic";
}
