import { guardFormula } from "../../../shared/csv/formula.ts";
import type { AuditEntry } from "../../../shared/responses/account/audit-log.ts";

const columns = ["at", "actor", "actor_email", "action", "subject_kind", "subject_id", "subject_name", "changes"];

/** Entries as CSV: a header, then a line for each. The changes are JSON, as the API has them. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.map(({ at, actor, action, subject, changes }) => [
    ...[at, actor.kind, actor.email ?? "", action],
    ...[subject.kind, subject.id, subject.name, JSON.stringify(changes)],
  ]);
  return [columns, ...lines].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  const guarded = guardFormula(text);
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
