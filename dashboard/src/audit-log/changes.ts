import type { AuditEntry } from "../../../shared/responses/account/audit-log.ts";
import { formatDateTime } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";

/** Names of fields, where the field itself with spaces is none. */
const names: Readonly<Record<string, string>> = {
  address_created_at: "Feed address since",
  current_period_end: "Period ends",
  daily_quota: "Requests a day",
  deadline_days: "Days before a deadline",
  display: "Key",
  email: "E-mail address",
  expand: "Adds to records",
  expires_at: "Valid until",
  keeps_search_text: "Keeps the text of searches",
  paused_at: "Paused since",
  previous_secret_expires_at: "Former secret signs until",
  replaced_by: "Id of the new key",
  revoked_at: "Revoked",
  updated_fields: "Fields of updates",
  url: "Address",
  user_id: "Id of the sign-in",
};

export function fieldName(field: string): string {
  return names[field] ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;
}

/** A value in words: "none", "yes", "1,000", "Nov 20, 2026, 3:05 PM", "grants, funders". */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatCount(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, item]) => `${name}: ${valueText(item)}`)
      .join("; ");
  }
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatDateTime(text) : text;
}

/** Whether there was a value before. A created object has its values for the first time. */
export function hadValue({ from }: AuditEntry["changes"][number]): boolean {
  return valueText(from) !== "none";
}
